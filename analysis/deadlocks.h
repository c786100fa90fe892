// Deadlock candidates: cycles of "holds one lock, asks for another" over distinct threads, of any length,
// whose threads hold no lock that keeps another of them out (a common guard) and whose requests no hard order
// puts one after the other.
//
// A search over the groups of such moments (lock_dependencies.h), within the strongly connected components of
// the locks; it stops at a limit and says so.
#pragma once

#include "analysis/candidate.h"
#include "analysis/hard_order.h"
#include "analysis/lock_dependencies.h"
#include "analysis/lock_profiles.h"
#include "traces/progress.h"

#include <span>
#include <vector>

namespace heddle {

struct DeadlockCandidates {
    std::vector<Candidate> found; ///< one for each cycle of places
    FunnelCounts counts;
    bool complete = true; ///< false: the search stopped at its limit
};

/// `refuted`: also those that a common guard or the hard order rules out. When told to stop, it is not
/// complete.
[[nodiscard]] DeadlockCandidates find_deadlocks(std::span<const LockDependency> dependencies,
                                                const HardOrder& order, LockProfiles& profiles, bool refuted,
                                                const Progress& progress = {});

} // namespace heddle
