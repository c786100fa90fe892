// Which locks are held at the accesses of variables: what a fix would hold at the others.
#pragma once

#include "traces/trace.h"

#include <cstdint>
#include <map>
#include <vector>

namespace heddle {

struct Guard {
    LockId lock;
    std::uint64_t held = 0;     ///< accesses at which it is held, exclusively
    std::uint64_t accesses = 0; ///< that were looked at
    EventId acquired;           ///< where, for the first of them
    EventId access;             ///< that access
};

/// For each of the variables that has one, the lock that is held at most of its accesses; of those held
/// equally often the one that was seen first. Accesses at `elsewhere` (by place) do not count: those are the
/// ones to be fixed. O(events + accesses of the variables × locks held).
[[nodiscard]] std::map<VarId, Guard> guards(const Trace& trace, const std::vector<VarId>& variables,
                                            const std::vector<bool>& elsewhere);

} // namespace heddle
