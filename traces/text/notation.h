// The words of the text notation: operations, memory orders, escapes. docs/trace-text.md describes the
// notation; line_parser.h reads a line of it.
#pragma once

#include "traces/event.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heddle::text {

/// Columns count bytes from 1. `expected` is for "expected …, found …".
struct SyntaxError {
    std::size_t column = 1;
    std::string_view expected;
    std::string_view found; ///< empty: the end of the line
};

// --- blanks ------------------------------------------------------------------------------------------

[[nodiscard]] constexpr bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

[[nodiscard]] constexpr std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

/// The length of the word that `text` starts with.
[[nodiscard]] constexpr std::size_t word_length(std::string_view text) {
    std::size_t length = 0;
    while (length < text.size() && !is_blank(text[length])) ++length;
    return length;
}

// --- operations --------------------------------------------------------------------------------------

/// What the name of an operation means.
struct Operation {
    static constexpr std::uint8_t kNotSkipped = 0xFF;

    EventKind kind = EventKind::read;
    std::uint8_t skipped = kNotSkipped; ///< index into kSkippedOperations

    [[nodiscard]] bool is_skipped() const { return skipped != kNotSkipped; }
};

/// Operations of other tools that tell nothing about memory or synchronisation.
inline constexpr std::array<std::string_view, 5> kSkippedOperations = {"enter", "exit", "dummy", "req",
                                                                       "branch"};

[[nodiscard]] std::optional<Operation> operation_named(std::string_view name);

/// MemoryOrder::none when there is no such order.
[[nodiscard]] MemoryOrder memory_order_named(std::string_view name);

// --- numbers -----------------------------------------------------------------------------------------

/// All of `text` as decimal or 0x… hexadecimal.
[[nodiscard]] std::optional<std::uint64_t> parse_number(std::string_view text);

// --- escapes -----------------------------------------------------------------------------------------

/// Whether `\c` is an escape. Before any other character a backslash is just a backslash.
[[nodiscard]] constexpr bool is_escape(char c) {
    return c == '|' || c == '\\' || c == 'n' || c == 'r' || c == 't' || c == 's' || c == '0' || c == 'e';
}

/// Where `text` has its first `|` that is not escaped, from `from` on; npos when it has none.
[[nodiscard]] std::size_t find_bar(std::string_view text, std::size_t from, bool may_hold_escapes);

/// `text` with its escapes resolved: `text` itself when there are none, else a view of `storage`.
[[nodiscard]] std::string_view unescaped(std::string_view text, std::string& storage);

/// Which blanks the reader would not give back: those at the ends of a field; those at the ends and
/// around `<` in a frame; all in a word of a directive (where an empty word needs writing, too).
enum class Within { field, frame, word };
void append_escaped(std::string& out, std::string_view text, Within within);

} // namespace heddle::text
