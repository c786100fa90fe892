// Where bytes of a text are in a later version of it: what became of the text, as replaced stretches, kept
// current edit by edit. Pure; O(log stretches) to ask, O(stretches) for an edit.
#pragma once

#include "analysis/source/syntax_tree.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace heddle::source {

/// Bytes [old_first, old_end) of the first text were replaced by [new_first, new_end) of the later one.
struct Replaced {
    std::uint32_t old_first = 0;
    std::uint32_t old_end = 0;
    std::uint32_t new_first = 0;
    std::uint32_t new_end = 0;

    bool operator==(const Replaced&) const = default;
};

class PositionMap {
  public:
    /// Nothing has changed.
    PositionMap() = default;
    /// By place; no two touch.
    explicit PositionMap(std::vector<Replaced> replaced) : replaced_(std::move(replaced)) {}

    struct Now {
        std::uint32_t byte = 0;
        bool kept = true; ///< false: the byte is gone; this is where what replaced it begins

        bool operator==(const Now&) const = default;
    };
    /// Where a byte of the first text is now.
    [[nodiscard]] Now now(std::uint32_t byte) const;
    /// Whether anything between these bytes of the first text was replaced, or something put in.
    [[nodiscard]] bool changed(ByteRange range) const;

    /// An edit of the later text.
    void edit(const TextEdit& edit);
    /// Forgets replacements of text by the same text, at either end of a stretch: what was undone.
    void forget_undone(std::string_view first_text, std::string_view later_text);

    [[nodiscard]] std::span<const Replaced> replaced() const { return replaced_; }
    bool operator==(const PositionMap&) const = default;

  private:
    std::vector<Replaced> replaced_;
};

} // namespace heddle::source
