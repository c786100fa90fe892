// Edits of a text, and what makes them look as if the author of the text had made them: its line ends, its
// indentation, whole lines where a statement goes. Pure.
#pragma once

#include "analysis/source/syntax_tree.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::source {

/// Text that takes the place of other text; of none when the range is empty.
struct Replacement {
    ByteRange range;
    std::string text;

    bool operator==(const Replacement&) const = default;
};

/// The text after replacements that do not overlap, in any order.
[[nodiscard]] std::string rewritten(std::string text, std::vector<Replacement> replacements);

/// How the text ends its lines: "\n" or "\r\n".
[[nodiscard]] std::string_view line_end_of(std::string_view text);

/// The blanks that the line of a byte begins with.
[[nodiscard]] std::string_view indentation_at(std::string_view text, std::uint32_t byte);

/// The range with the rest of its lines, up to the beginning of the next, where nothing but blanks, a comment
/// behind it aside, is on them; otherwise the range with the blanks behind it.
[[nodiscard]] ByteRange whole_lines(std::string_view text, ByteRange range);

/// Puts `#include <header>` among those that the text has, in their order; nothing to do when it is there.
[[nodiscard]] std::vector<Replacement> including(std::string_view text, std::string_view header);

} // namespace heddle::source
