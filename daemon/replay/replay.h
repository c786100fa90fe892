// A replay from beginning to end: plan, attempts, outcome. Needs no terminal, and can be stopped at any time;
// when it returns nothing that it started is left. For the command line, and for whoever else runs replays as
// jobs.
//
// Blocks until it is done; the program that it starts dies with the calling thread.
#pragma once

#include "daemon/replay/attempt.h"
#include "daemon/replay/outcome.h"
#include "daemon/replay/plan.h"
#include "traces/result.h"
#include "traces/trace.h"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace heddle::replay {

struct ReplayRequest {
    const Trace* recorded = nullptr; ///< as it was recorded
    const Trace* told = nullptr;     ///< the same with names and lines of source, for explanations
    Property property;
    Schedule schedule;

    std::vector<std::string> command; ///< empty: the recorded one, in the recorded folder
    std::string recorder;             ///< folder of its libraries
    std::string input;                ///< file; empty: nothing
    bool quiet = false;               ///< the program's output is not shown
    std::string keep_plan;            ///< a file for the last attempt's plan; empty: it is not kept

    unsigned attempts = 3;
    std::chrono::milliseconds limit{0}; ///< of an attempt; 0: by the length of the recorded run
    std::chrono::milliseconds stall{0}; ///< how long all threads may sleep in an attempt; 0: by that, too
    bool explore = false;               ///< neighbours of the schedule, too, if it diverges
    bool stay = false;                  ///< threads stay where the violation is

    std::function<bool()> stop;                       ///< asked now and then, from this thread
    std::function<void(unsigned attempt)> progress;   ///< before each
    std::function<void(const std::string&)> diverged; ///< after each that confirmed nothing
    /// With `stay`: the violation is there. True: from now on the time is not limited.
    std::function<bool(const Outcome&)> standing;
};

struct Replayed {
    bool confirmed = false;
    bool stopped = false;
    unsigned attempts = 0;
    std::string explanation; ///< of the last attempt, if it was not confirmed
    Attempt last;
};

/// An error: the schedule cannot be replayed, whatever the attempts.
[[nodiscard]] Result<Replayed> replay(const ReplayRequest& request);

} // namespace heddle::replay
