// From a witness to a replay plan (docs/replay.md, "From schedule to plan"): which threads have to wait for
// which at which operations, so that a run of the program takes the witness's schedule.
//
// Of the schedule only what orders threads is kept: an operation is a step when another thread's must come
// before or after it and nothing else sees to that already. The trace must be as it was recorded: places that
// were resolved to source no longer tell instructions apart.
//
// O(events) and the number of threads that use the same objects.
#pragma once

#include "analysis/property.h"
#include "analysis/witness/schedule.h"
#include "traces/recorder/replay_plan.h"
#include "traces/result.h"
#include "traces/trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::replay {

/// How a plan differs from the plain one: neighbours of the schedule.
struct Variation {
    bool addresses = true; ///< accesses are told by what is known of their addresses, too
    bool holds = true;     ///< what is beyond the schedule waits where it would disturb it
    int shift = 0;         ///< of the violation's accesses, this many occurrences later

    bool operator==(const Variation&) const = default;
};

struct PlanRequest {
    Property property;
    Schedule schedule;
    Variation variation;
    std::uint32_t stall_ms = 2000;
    std::uint32_t limit_ms = 20'000;
    bool stay = false; ///< for a debugger
};

struct MadePlan {
    Plan plan;
    std::vector<EventId> events;   ///< by step: which event of the trace it is
    std::vector<ThreadId> threads; ///< by thread of the plan
};

[[nodiscard]] Result<MadePlan> make_plan(const Trace& trace, const PlanRequest& request);

/// As the recorder reads it.
[[nodiscard]] std::string plan_text(const Plan& plan);

} // namespace heddle::replay
