// A source text in which ranges are marked: between [[ and ]], << and >>, {{ and }}, each at most once.
#pragma once

#include "analysis/source/syntax_tree.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace heddle::source::test {

class MarkedText {
  public:
    explicit MarkedText(std::string marked) : marked_(std::move(marked)), text_(marked_) {
        for (const std::string_view mark : kMarks) {
            if (const std::size_t at = text_.find(mark); at != std::string::npos)
                text_.erase(at, mark.size());
        }
    }

    /// Without the marks.
    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] std::optional<ByteRange> range(std::string_view open, std::string_view close) const {
        const std::size_t first = marked_.find(open);
        if (first == std::string::npos) return std::nullopt;
        return ByteRange{bare(first + open.size()), bare(marked_.find(close))};
    }

  private:
    static constexpr std::array<std::string_view, 6> kMarks = {"[[", "]]", "<<", ">>", "{{", "}}"};

    /// A place of the marked text, without the marks in front of it.
    [[nodiscard]] std::uint32_t bare(std::size_t at) const {
        std::size_t before = 0;
        for (const std::string_view mark : kMarks) {
            if (marked_.find(mark) < at) before += mark.size();
        }
        return static_cast<std::uint32_t>(at - before);
    }

    std::string marked_;
    std::string text_;
};

} // namespace heddle::source::test
