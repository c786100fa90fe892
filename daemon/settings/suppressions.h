// Findings that a user does not want to see, in the format of ThreadSanitizer's suppression files.
//
// A line is `type:pattern`; `#` begins a comment line. A pattern is looked for anywhere in a name, `*` stands
// for any text,
// `^` at the beginning and `$` at the end tie it there. Types:
//
//   race             data races: functions, files and modules of all calls, and the variable
//   race_top         the same for the innermost calls alone
//   deadlock         deadlocks: functions, files and modules of all calls, and the locks
//   atomicity        atomicity violations, as race (ThreadSanitizer does not know this type and refuses such
//   a file) called_from_lib  anything that code of this module did itself: modules of the innermost calls
//   mutex, thread, signal
//                    reports that ThreadSanitizer alone makes; read, and never match
//
// Pure, but for read_suppressions and append_suppression. Names are plain strings, so that whoever has a
// finding in any form can ask.
#pragma once

#include "traces/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::settings {

enum class FindingType : std::uint8_t { race, atomicity, deadlock };

/// One call of a stack; what is not known is empty.
struct Frame {
    std::string_view function;
    std::string_view file;
    std::string_view module;
};

/// A finding, as far as suppressions are concerned.
struct Suspect {
    FindingType type = FindingType::race;
    std::vector<std::vector<Frame>> stacks; ///< of each of its events, innermost call first
    std::vector<std::string> objects;       ///< the variable, or the locks
};

/// One line of a suppression file.
struct Suppression {
    enum class Type : std::uint8_t {
        race,
        race_top,
        atomicity,
        deadlock,
        called_from_lib,
        mutex,
        thread,
        signal
    };

    Type type = Type::race;
    std::string pattern;
    std::size_t line = 0; ///< from 1

    [[nodiscard]] bool matches(const Suspect& suspect) const;
};

/// Whether `pattern` is found in `name`. Nothing is found in an empty name.
[[nodiscard]] bool pattern_matches(std::string_view pattern, std::string_view name);

struct Suppressions {
    std::vector<Suppression> list;
    std::vector<std::string> problems; ///< "line 3: …"; such lines are left out

    /// The first that matches, or nullptr.
    [[nodiscard]] const Suppression* match(const Suspect& suspect) const;
};

[[nodiscard]] Suppressions parse_suppressions(std::string_view text);

/// Of a file; the problems name it. A file that does not exist is an error.
[[nodiscard]] Result<Suppressions> read_suppressions(const std::string& path);

/// The line that suppresses this finding and what is like it: `race:Account::deposit`. Of the innermost call
/// that has a name the function, or else the file or the variable; nothing when nothing has a name.
[[nodiscard]] std::optional<std::string> suppression_for(const Suspect& suspect);

/// Adds the line at the end of the file, which is made with its folder if need be. The text that is there is
/// kept byte for byte; a line that is there already is not added again. The new file takes the place of the
/// old one whole or not at all.
[[nodiscard]] Result<void> append_suppression(const std::string& path, const std::string& line);

} // namespace heddle::settings
