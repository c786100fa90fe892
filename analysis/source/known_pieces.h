// What is known of the pieces of a text when it is split again after an edit: those that the edit did not
// come near are taken as they were, unread.
#pragma once

#include "analysis/source/byte_range.h"
#include "analysis/source/text_edit.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace heddle::source {

struct KnownPiece {
    ByteRange range;
    std::uint64_t around = 0; ///< a hash of what held it
    // As of its end:
    std::optional<std::uint32_t> contents{}; ///< the column of what its holder holds
    std::size_t open_conditionals = 0;       ///< that are no part of the frame
    bool matched = true;                     ///< its brackets
    bool closed = true;                      ///< its comments and strings: no text behind it can close them
};

class KnownPieces {
  public:
    /// Of a text of that size.
    KnownPieces(std::vector<KnownPiece> pieces, std::span<const ByteRange> frame, std::uint32_t text_size);
    KnownPieces() = default;

    /// The piece that begins at this byte of the text that `edit` made, held by the same. Null: none that is
    /// as it was, with what follows it.
    [[nodiscard]] const KnownPiece* at(std::uint32_t byte, std::uint64_t around, const TextEdit& edit) const;

  private:
    /// Of the first piece that does not begin before that byte.
    [[nodiscard]] std::size_t index_of(std::uint32_t first) const;

    std::vector<KnownPiece> pieces_; ///< in order
    std::vector<std::uint32_t>
        reach_; ///< by piece: its end, and that of what follows, were found by what is before
    mutable std::size_t next_ = 0; ///< behind the last that was found: mostly they are asked for in order
};

} // namespace heddle::source
