// What the recorder says about the processes of one run: it appends a line of JSON for each to the file that
// HEDDLE_SUMMARY names. A process that was killed without warning leaves none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace heddle::record {

struct RecordedProcess {
    pid_t process = 0;
    std::string program; ///< base name
    std::string trace;   ///< path; empty when nothing could be written
    std::uint64_t threads = 0;
    std::uint64_t events_seen = 0;
    std::uint64_t events_kept = 0;
    std::uint64_t bytes = 0;
    std::string problem; ///< why the trace is not all of it; empty: nothing went wrong
};

/// Lines that are not what the recorder writes (cut off, by a full disk say) are passed over.
[[nodiscard]] std::vector<RecordedProcess> read_run_report(const std::string& path);

} // namespace heddle::record
