// What a replayed program told of how it went (docs/replay.md, "The result"), and what that means to a
// person.
#pragma once

#include "daemon/replay/attempt.h"
#include "daemon/replay/plan.h"
#include "traces/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::replay {

enum class Told : std::uint8_t {
    nothing, ///< no process has begun to follow the plan
    began,
    confirmed,
    diverged,
    exited,  ///< the program ended first
    refused, ///< the plan is not for this program
};

struct ToldThread {
    std::uint32_t thread = 0; ///< of the plan
    std::string activity;
    std::uint32_t next = 0; ///< step
};

struct Outcome {
    Told told = Told::nothing;
    pid_t process = 0;
    std::string why;          ///< diverged, refused: in a word
    std::string about;        ///< refused
    std::uint32_t thread = 0; ///< diverged
    std::uint32_t step = 0;
    int status = 0; ///< exited
    std::uint64_t address = 0;
    std::vector<std::uint32_t> standing; ///< the system's numbers of the threads that stand at the violation
    std::vector<ToldThread> threads;
};

/// The text of a result file. What cannot be understood is left out.
[[nodiscard]] Outcome read_outcome(std::string_view text);

/// Why it was not confirmed, in a sentence or two. `trace`: with names and lines of source.
[[nodiscard]] std::string explain(const Trace& trace, const MadePlan& made, const Outcome& outcome,
                                  const Attempt& attempt, const AttemptRequest& request);

} // namespace heddle::replay
