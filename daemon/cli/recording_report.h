// Says what became of a recorded run: a line per process with its threads, events and size, and the trace's
// path; and whatever went wrong.
#pragma once

#include "daemon/record/foreground_run.h"
#include "daemon/record/run_report.h"

#include <string>
#include <vector>

namespace heddle::cli {

struct Recording {
    std::string program;
    std::string trace_pattern;
    record::Finished finished;
    std::vector<record::RecordedProcess> processes;
    bool quiet = false; ///< only what went wrong
};

/// On standard error, which leaves standard output to the program.
void report_recording(const Recording& recording);

} // namespace heddle::cli
