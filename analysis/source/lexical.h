// The few things about the text of C and C++ that have to be known before it is parsed: where comments,
// literals and lines of the preprocessor end. Nothing here needs the text to be whole. Asking for all of a
// text from its beginning to its end is linear in it, whatever it is.
#pragma once

#include "analysis/source/grammar.h"

#include <cstdint>
#include <string_view>
#include <utility>

namespace heddle::source {

[[nodiscard]] constexpr bool is_blank(char letter) {
    return letter == ' ' || letter == '\t' || letter == '\r' || letter == '\f' || letter == '\v';
}

[[nodiscard]] constexpr bool is_digit(char letter) {
    return letter >= '0' && letter <= '9';
}

[[nodiscard]] constexpr bool begins_word(char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_' ||
           letter == '$' || static_cast<unsigned char>(letter) >= 0x80;
}

[[nodiscard]] constexpr bool continues_word(char letter) {
    return begins_word(letter) || is_digit(letter);
}

/// Tells what begins at the byte `at`.
class Lexical {
  public:
    Lexical(std::string_view text, Language language)
        : text_(text), language_(language), no_comment_end_(text.size()) {}

    /// Behind the word, or the number.
    [[nodiscard]] std::uint32_t after_word(std::uint32_t at) const;
    /// Behind the line's end; lines that end with a backslash go on in the next.
    [[nodiscard]] std::uint32_t after_line(std::uint32_t at) const;
    /// Behind the comment, the newline of `//` excluded. `at` itself: there is none, or it is never closed.
    [[nodiscard]] std::uint32_t after_comment(std::uint32_t at);
    /// Behind the string or character whose quote is at `at`, or behind the quote that is none: 1'000. What
    /// is not closed ends with its line.
    [[nodiscard]] std::uint32_t after_literal(std::uint32_t at);
    /// Since this was asked for last, something was not closed that more text could close.
    [[nodiscard]] bool looked_in_vain() { return std::exchange(in_vain_, false); }
    /// Of the line of the preprocessor whose '#' is at `at`: "ifdef".
    [[nodiscard]] std::string_view directive(std::uint32_t at) const;
    /// Behind that line, and the comments that begin in it.
    [[nodiscard]] std::uint32_t after_directive(std::uint32_t at);
    /// Whether nothing but blanks stands between the beginning of the line and this byte.
    [[nodiscard]] bool first_in_line(std::uint32_t at) const;
    /// Bytes between the beginning of the line and this one.
    [[nodiscard]] std::uint32_t column(std::uint32_t at) const;

  private:
    [[nodiscard]] std::uint32_t word_before(std::uint32_t at) const;
    [[nodiscard]] bool opens_raw_string(std::uint32_t quote) const;
    [[nodiscard]] std::uint32_t after_raw_string(std::uint32_t quote);

    std::string_view text_;
    Language language_;
    std::size_t no_comment_end_; ///< no comment ends that begins here or later
    int open_raw_strings_ = 0;   ///< that are never closed
    bool in_vain_ = false;
};

} // namespace heddle::source
