// One run of the program under a replay plan, watched: when this returns, the program and all that it started
// have ended, whatever they did.
//
// The program leads a process group of its own and dies with the thread that started it. What it started is
// found, wherever it went (offspring.h).
#pragma once

#include "traces/result.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace heddle::replay {

enum class AttemptEnd : std::uint8_t { ended, timed_out, stopped };

struct AttemptRequest {
    std::string program;                  ///< path
    std::vector<std::string> words;       ///< words[0]: what it sees as its name
    std::vector<std::string> environment; ///< NAME=VALUE
    std::string folder;                   ///< to run in; empty: this one's
    std::string input;                    ///< file to read; empty: nothing
    bool quiet = false;                   ///< what it writes is not shown; else it goes to stderr
    std::string result;                   ///< path of the result file, unique to the attempt
    std::chrono::milliseconds limit{20'000};
    std::function<bool()> stop; ///< asked now and then: true ends the attempt
    std::function<bool(pid_t)> look =
        {}; ///< asked as often, with the program's process: true lifts the limit
};

struct Attempt {
    AttemptEnd end = AttemptEnd::ended;
    int status = 0; ///< as a shell shows it
    int signal = 0; ///< that killed it, if one did
};

/// An error means that the program did not start.
[[nodiscard]] Result<Attempt> run_attempt(const AttemptRequest& request);

} // namespace heddle::replay
