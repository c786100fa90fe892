// Who accesses what while holding which locks: all accesses of variables that several threads use, those that
// are alike counted together. What locks a variable has in common says what guards it.
//
// Pure; two passes over the run, O(events) with memory for the distinct kinds of access.
#pragma once

#include "analysis/lock_profiles.h"
#include "traces/trace.h"

#include <cstdint>
#include <vector>

namespace heddle {

/// Accesses of the same bytes, from the same place, by the same kind of event, holding the same locks.
struct SharedAccess {
    EventId example;
    std::vector<LockUse> locks; ///< ascending
    std::uint64_t count = 0;
    /// How many of them were made while no other thread that uses the variable ran: before its fork, or after
    /// its join, by the thread that forked and joined. No lock is needed for them.
    std::uint64_t alone = 0;
};

struct SharedVariable {
    VarId variable;
    std::vector<SharedAccess> accesses; ///< in the order of their first events
};

/// By variable.
[[nodiscard]] std::vector<SharedVariable> shared_accesses(const Trace& trace);

} // namespace heddle
