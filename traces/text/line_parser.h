// Takes one line of the text notation apart. Knows the grammar and nothing else: names stay text, and
// still escaped. Allocates nothing; what it gives out refers to the line.
//
//   thread | op(target) | place | attributes        fields may hold blanks, and are trimmed
//   thread op(target) @place attributes             a line without a bar: words
//
// After the operation both forms follow the same rule, so they mix: `T1|w(x) @a =5`.
#pragma once

#include "traces/text/attributes.h"
#include "traces/text/notation.h"

#include <cstddef>
#include <string_view>

namespace heddle::text {

struct ParsedLine {
    std::string_view thread;
    std::string_view target; ///< empty: none
    std::string_view place;  ///< empty: none
    Operation operation;     ///< when it is_skipped(), nothing else is set but the thread
    Attributes attributes;
};

class LineParser {
  public:
    /// Parses a line that is neither blank nor a comment. On failure error() tells what is wrong.
    [[nodiscard]] bool parse(std::string_view line, bool may_hold_escapes, ParsedLine& out);
    [[nodiscard]] const SyntaxError& error() const { return error_; }

  private:
    [[nodiscard]] bool parse_thread(std::size_t bar, std::size_t& at, ParsedLine& out);
    [[nodiscard]] bool parse_operation(std::size_t& at, std::size_t end, ParsedLine& out);
    [[nodiscard]] bool parse_target(std::size_t& at, std::size_t end, bool in_field, ParsedLine& out);
    [[nodiscard]] bool parse_rest(std::size_t at, std::size_t end, ParsedLine& out);
    [[nodiscard]] std::size_t parse_place_words(std::size_t at, std::size_t end, ParsedLine& out) const;
    [[nodiscard]] bool parse_attributes(std::size_t at, std::size_t end);

    bool fail_at(std::string_view found, std::string_view expected);
    /// Complains about the word at `at`, or about the end of the line.
    bool fail_at(std::size_t at, std::string_view expected);
    [[nodiscard]] std::size_t skip_blanks(std::size_t at, std::size_t end) const {
        while (at < end && is_blank(line_[at])) ++at;
        return at;
    }

    std::string_view line_;
    bool may_hold_escapes_ = false;
    AttributeParser attributes_;
    SyntaxError error_;
};

} // namespace heddle::text
