// Atomicity violations as a person counts them: one for each variable and three places, put through the
// funnel. Phase I and the lock analysis are those of seed 001 (atomicity_witnesses.h); witnesses are told
// apart by segment and place as well, so that the hard order and the causality graph can judge them.
//
// Never quadratic in events: witnesses of one variable are compared with each other, and a candidate is done
// with as soon as one way to reach it is found.
#pragma once

#include "analysis/hard_order.h"
#include "analysis/property.h"
#include "analysis/races.h"
#include "analysis/transactions.h"
#include "analysis/ucg.h"
#include "analysis/verdict.h"
#include "traces/trace.h"

#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

struct AtomicityFindingCandidate {
    VarId variable;
    PlaceId first_place;
    PlaceId remote_place;
    PlaceId second_place;
    AtomicityViolation representative;
    Verdict verdict;
};

struct AtomicityAnalysis {
    std::vector<AtomicityFindingCandidate> candidates; ///< ascending by variable, then by places
    FunnelCounts counts; ///< pairs of witnesses; the last column counts candidates
};

/// `given`: transactions known from elsewhere, besides critical sections and marked blocks.
[[nodiscard]] AtomicityAnalysis find_atomicity(const Trace& trace, const HardOrder& order,
                                               const CausalityGraph& causality,
                                               std::span<const TransactionBlock> given = {});

} // namespace heddle
