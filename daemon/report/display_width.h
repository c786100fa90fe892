// How many columns text takes on a terminal: letters outside ASCII are several bytes, some are two columns
// wide, and accents that combine are none.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heddle::report {

/// Bytes that are no UTF-8 and control characters count one column each.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// The text, or its beginning with an ellipsis when it is wider than `columns`, which is at least 1.
[[nodiscard]] std::string cut_to_width(std::string_view text, std::size_t columns);

/// The text, filled up with spaces.
[[nodiscard]] std::string padded(std::string_view text, std::size_t columns);

/// Of the terminal that standard output goes to; kNoTerminalWidth when it goes elsewhere.
[[nodiscard]] std::size_t output_width();
inline constexpr std::size_t kNoTerminalWidth = 120;

} // namespace heddle::report
