// Whether a schedule is a witness: it is replayed, event by event, on what docs/algorithms.md says of each
// kind of event, and what it claims is looked at where it ends. Every witness that anybody sees has passed.
// It knows nothing of how schedules are searched, and shares no code with that.
//
// O(events) once, however many witnesses there are, and O(steps × threads that use the same objects) for
// each.
#pragma once

#include "analysis/property.h"
#include "analysis/witness/schedule.h"
#include "traces/result.h"
#include "traces/trace.h"

#include <span>
#include <vector>

namespace heddle {

struct WitnessClaim {
    Property property;
    Schedule schedule;
};

/// For each claim, nothing or why the schedule does not lead to the property. The trace must keep the rules
/// (traces/rules.h); claims may be anything.
[[nodiscard]] std::vector<Result<void>> check_witnesses(const Trace& trace,
                                                        std::span<const WitnessClaim> claims);

[[nodiscard]] Result<void> check_witness(const Trace& trace, const Property& property,
                                         const Schedule& schedule);

} // namespace heddle
