// Runs a program in the foreground, as if it had been started in heddle's place: standard streams, terminal
// and process group are shared, signals sent to heddle reach it, and when it stops, heddle stops.
//
// Signals are taken synchronously while the program runs; the caller must be single-threaded.
#pragma once

#include "traces/result.h"

#include <string>
#include <vector>

#include <sys/types.h>

namespace heddle::record {

struct Finished {
    pid_t process = 0;
    int signal = 0; ///< that killed it; 0: it ended by itself
    int status = 0; ///< as a shell shows it: 128 + signal when killed
};

/// `words[0]` is what the program sees as its name. An error means that it did not start.
[[nodiscard]] Result<Finished> run_in_foreground(const std::string& path,
                                                 const std::vector<std::string>& words,
                                                 const std::vector<std::string>& environment);

} // namespace heddle::record
