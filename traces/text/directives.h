// Lines that start with `#!`: what a text trace says besides its events.
//
//   #! meta command TEXT | test TEXT | start_time_unix_ns N | duration_ns N | exit_status N
//   #! meta setting NAME TEXT
//   #! module PATH [build-id=HEX] [base=N] [size=N]
//   #! object KIND WORD [name=NAME] [address=N] [size=N] [block=WORD]
//   #! place WORD [label=…] [function=…] [file=…] [line=N] [column=N] [module=INDEX] [offset=N]
//
// Words are separated by blanks; blanks within them are written \s. TEXT goes to the end of the line.
#pragma once

#include "traces/limits.h"
#include "traces/text/names.h"
#include "traces/text/notation.h"
#include "traces/text/places.h"
#include "traces/trace_builder.h"

#include <optional>
#include <string>
#include <string_view>

namespace heddle::text {

/// Whether a line is a directive: `#!` and a blank. (`#!/bin/sh` is a comment like any other.)
[[nodiscard]] constexpr bool is_directive(std::string_view line) {
    return line.size() > 2 && line[0] == '#' && line[1] == '!' && is_blank(line[2]);
}

class DirectiveReader {
  public:
    DirectiveReader(TraceBuilder& builder, NameTable& names, PlaceTable& places, const Limits& limits)
        : builder_(builder), names_(names), places_(places), limits_(limits) {}

    /// On failure error() tells what is wrong; nothing of the directive was taken.
    [[nodiscard]] bool read(std::string_view line);
    [[nodiscard]] const SyntaxError& error() const { return error_; }

  private:
    struct Attribute {
        std::string_view word; ///< all of it
        std::string_view key;
        std::string_view value; ///< still escaped
    };

    [[nodiscard]] bool read_meta();
    [[nodiscard]] bool read_setting();
    [[nodiscard]] bool read_module();
    [[nodiscard]] bool read_object();
    struct ObjectDraft {
        Object object;
        bool renamed = false;
        std::optional<std::string_view> block; ///< what the lines call it, still escaped
    };
    [[nodiscard]] bool read_object_attribute(const Attribute& attribute, ObjectKind kind, ObjectDraft& draft);
    [[nodiscard]] bool read_place();
    [[nodiscard]] bool read_place_attribute(const Attribute& attribute, Place& place);

    [[nodiscard]] std::string_view next_word();
    /// The next `key=value`. False at the end of the line, and when the next word is none.
    [[nodiscard]] bool next_attribute(Attribute& out);
    [[nodiscard]] std::string_view rest() const { return trimmed(line_.substr(at_)); }
    /// Unescaped; valid until the next call.
    [[nodiscard]] std::string_view plain(std::string_view escaped) { return unescaped(escaped, unescaped_); }
    template<typename Number>
    [[nodiscard]] bool read_number(std::string_view text, Number& out);
    bool fail_at(std::string_view found, std::string_view expected);

    TraceBuilder& builder_;
    NameTable& names_;
    PlaceTable& places_;
    const Limits& limits_;
    std::string_view line_;
    std::size_t at_ = 0;
    bool bad_attribute_ = false;
    std::string unescaped_;
    SyntaxError error_;
};

} // namespace heddle::text
