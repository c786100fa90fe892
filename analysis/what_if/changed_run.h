// The run that a changed program would have made of a recorded one: each thread does what it did, with the
// change in it, in an order as close to the recorded one as the locks of the change allow
// (docs/algorithms.md, "Fixes are tried first").
//
// Only what decides about some variables is in it: their accesses and all synchronisation. Accesses have no
// values, as threads that wait for each other see other things. O(events + changed events × threads).
#pragma once

#include "analysis/what_if/change.h"
#include "traces/result.h"
#include "traces/trace.h"

#include <cstdint>
#include <vector>

namespace heddle {

struct ChangedRun {
    Trace trace;                   ///< with the tables, and their ids, of the recorded one; keeps the rules
    std::vector<EventId> recorded; ///< by event: which it was; invalid for those of the change
};

/// An error says why the change cannot be made at the recorded places: a thread would wait for itself, would
/// hold the lock while it waits for something else, or the threads would wait for each other in the recorded
/// order already.
[[nodiscard]] Result<ChangedRun> changed_run(const Trace& trace, const Change& change,
                                             const std::vector<VarId>& variables);

/// The run as it was, with nothing else left out than there, and the same repeated.
[[nodiscard]] Trace reduced_run(const Trace& trace, const std::vector<EventId>& repeated,
                                const std::vector<VarId>& variables);

} // namespace heddle
