// What is known of one candidate of a variable while its accesses are compared: the ways to reach it that the
// cheap filters leave, and what each filter alone says of all ways. Races and atomicity violations differ
// only in what a way is.
#pragma once

#include "analysis/candidate.h"
#include "analysis/lock_profiles.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace heddle {

template<typename Way>
struct CandidateEntry {
    std::vector<Way> ways; ///< that no cheap filter rules out, in the order in which they were found
    Way any;               ///< the first conflict
    Filter refuted = Filter::lockset; ///< the most exact filter that ruled out a way
    bool locks_allow = false;         ///< some way
    bool order_allows = false;
    bool gave_up = false; ///< ways were not compared

    /// Notes what two filters say of a way. True: both leave it.
    bool judge(LockVerdict locks, bool in_order) {
        locks_allow = locks_allow || locks == LockVerdict::compatible;
        order_allows = order_allows || in_order;
        if (locks == LockVerdict::excluded_by_lockset) return false;
        if (in_order && locks == LockVerdict::compatible) return true;
        refuted = std::max(refuted, in_order ? Filter::acquisition_history : Filter::hard_order);
        return false;
    }
    [[nodiscard]] bool saturated(const WayLimits& limits) const { return ways.size() >= limits.kept; }
    /// How many of its ways to ask the causality graph about: all if they were all kept.
    [[nodiscard]] std::size_t tried(const WayLimits& limits) const {
        return saturated(limits) ? limits.tried : ways.size();
    }
};

template<typename Way>
[[nodiscard]] CandidateNumbers numbers_of(const std::vector<CandidateEntry<Way>>& entries) {
    CandidateNumbers result;
    for (const CandidateEntry<Way>& entry : entries) {
        ++result.counts.total;
        result.counts.lock_analysis += entry.locks_allow ? 1U : 0U;
        result.counts.hard_order += entry.order_allows ? 1U : 0U;
        result.open += !entry.ways.empty() || entry.gave_up ? 1U : 0U;
    }
    return result;
}

} // namespace heddle
