// Which file the trace goes to, and what the user is told about it.
#pragma once

#include "traces/result.h"

#include <string>

namespace heddle::recorder {

struct OpenedFile {
    int descriptor = -1; ///< in append mode, empty, locked
    std::string path;
};

/// Opens the file that the settings name, with its directories. A name that a live process holds, and any
/// name in a process that a recorded one started, is made unique.
[[nodiscard]] Result<OpenedFile> open_trace_file();

/// The program's name without its folder.
[[nodiscard]] std::string program_name();

/// One line on stderr, unless the user wants none or gets it with the summary.
void tell_problem(const std::string& problem);

struct Summary {
    std::string trace;
    std::string problem;
    std::uint64_t threads = 0;
    std::uint64_t events_seen = 0;
    std::uint64_t events_kept = 0;
    std::uint64_t bytes = 0;
};
/// Appends a line of JSON where the settings ask for it.
void write_summary(const Summary& summary);

} // namespace heddle::recorder
