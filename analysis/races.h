// Race candidates: pairs of access groups that conflict, put through the funnel, counted as a person counts
// bugs: one for each variable and pair of places.
#pragma once

#include "analysis/access_groups.h"
#include "analysis/hard_order.h"
#include "analysis/lock_profiles.h"
#include "analysis/property.h"
#include "analysis/ucg.h"
#include "analysis/verdict.h"

#include <cstdint>
#include <vector>

namespace heddle {

struct RaceCandidate {
    VarId variable;
    PlaceId first_place; ///< the smaller id first
    PlaceId second_place;
    Race representative;           ///< possible if the verdict is, else the last pair tried
    std::uint64_t event_pairs = 0; ///< pairs of events that no cheap filter rules out
    bool count_exact = true;       ///< false: there may be more
    Verdict verdict;
};

/// How many pairs of groups were left after each filter, alone and together: the columns of the papers'
/// tables. The last column counts candidates: the causality graph is asked about them, not about every pair
/// of groups.
struct FunnelCounts {
    std::uint64_t total = 0;
    std::uint64_t lock_analysis = 0; ///< left by locksets and acquisition histories alone
    std::uint64_t hard_order = 0;    ///< left by the hard order alone
    std::uint64_t causality = 0;     ///< left by all together
};

struct RaceAnalysis {
    std::vector<RaceCandidate> candidates; ///< ascending by variable, then by places
    FunnelCounts counts;
};

[[nodiscard]] RaceAnalysis find_races(const Trace& trace, const std::vector<AccessGroup>& groups,
                                      const HardOrder& order, LockProfiles& profiles,
                                      const CausalityGraph& causality);

} // namespace heddle
