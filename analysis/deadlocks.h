// Deadlock candidates: cycles of "holds one lock, asks for another" over distinct threads, of any length,
// whose threads hold no lock that keeps another of them out (a common guard) and whose requests no hard order
// puts one after the other.
//
// O(lock events) to collect what is held when something is asked for, grouped by thread, locks, modes,
// profile, places and segment; then a search over the groups that stops at a limit and says so.
#pragma once

#include "analysis/hard_order.h"
#include "analysis/lock_profiles.h"
#include "analysis/property.h"
#include "analysis/races.h"
#include "analysis/ucg.h"
#include "analysis/verdict.h"
#include "traces/trace.h"

#include <cstdint>
#include <vector>

namespace heddle {

struct DeadlockCandidate {
    Deadlock representative;
    std::uint64_t count = 0; ///< cycles of events behind it
    Verdict verdict;
};

struct DeadlockAnalysis {
    std::vector<DeadlockCandidate> candidates; ///< one for each cycle of places
    FunnelCounts counts;
    bool complete = true; ///< false: the search stopped at its limit
};

[[nodiscard]] DeadlockAnalysis find_deadlocks(const Trace& trace, const HardOrder& order,
                                              const CausalityGraph& causality);

} // namespace heddle
