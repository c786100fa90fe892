// Columns of LSP are counted in code units of an encoding that client and server agree on: bytes (UTF-8),
// 16-bit units (UTF-16, which every client knows: characters past U+FFFF are two), or characters (UTF-32).
//
// Texts are UTF-8. A byte that is no part of valid UTF-8 counts as one character. O(bytes looked at).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace heddle::lsp {

enum class PositionEncoding : std::uint8_t { utf8, utf16, utf32 };

/// As LSP names it: "utf-8", "utf-16", "utf-32".
[[nodiscard]] std::string_view to_text(PositionEncoding encoding);
[[nodiscard]] std::optional<PositionEncoding> position_encoding(std::string_view name);

/// The cheapest of those the client offers: UTF-8, then UTF-32; UTF-16 if it offers neither or nothing.
[[nodiscard]] PositionEncoding choose_encoding(std::span<const std::string> offered);

/// How many code units the text has.
[[nodiscard]] std::size_t count_units(std::string_view text, PositionEncoding encoding);

/// The byte where a column of the line is: the end of the line if it has fewer columns, the beginning of a
/// character if the column is inside of one. The line is given without its line end.
[[nodiscard]] std::size_t byte_of_column(std::string_view line, std::size_t column,
                                         PositionEncoding encoding);

/// The other way: the column of a byte, which may be at most the line's size.
[[nodiscard]] std::uint32_t column_of_byte(std::string_view line, std::size_t byte,
                                           PositionEncoding encoding);

} // namespace heddle::lsp
