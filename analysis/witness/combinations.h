// Which events to show a finding with. Many combinations stand behind one; those whose events are close
// together in the recorded order have small windows and short witnesses, so they come first. Combinations
// that locks or the order of data (data_order.h) rule out are left out; if none is left, the finding is
// refuted.
//
// A bounded number of them is looked at. What can happen at the same time as an access is one stretch of each
// other thread, so cost is for what is allowed, not for all combinations that there are.
#pragma once

#include "analysis/candidate.h"
#include "analysis/phase_one.h"
#include "analysis/source_blocks.h"
#include "analysis/witness/access_groups.h"
#include "analysis/witness/data_order.h"
#include "analysis/witness/run_index.h"
#include "traces/trace.h"

#include <cstddef>
#include <span>
#include <vector>

namespace heddle {

struct Combinations {
    std::vector<Property> properties;
    bool all = false; ///< all others that stand behind the finding are ruled out
};

class LockRequests;

/// Where the events of a finding occur in the run.
struct Occurrences {
    const AccessGroups* accesses = nullptr; ///< of its variable; of a deadlock none
    const LockRequests* requests = nullptr; ///< of a deadlock
};

class CombinationFinder {
  public:
    /// `given_transactions`: there are some that the trace does not tell of. `source`: may be null.
    CombinationFinder(const Trace& trace, const RunIndex& index, const DataOrder& order,
                      const PhaseOne& locks, bool given_transactions, const SourceBlocks* source)
        : trace_(trace), index_(index), order_(order), locks_(locks), given_transactions_(given_transactions),
          source_(source) {}

    /// `possible`: a way to reach the candidate that is statically feasible; of the others that is not known.
    /// It is among the first `early` ones, unless it is ruled out.
    [[nodiscard]] Combinations find(const Candidate& candidate, const Property& possible,
                                    const Occurrences& occurrences, std::size_t early) const;

  private:
    using Access = DataOrder::Place;

    /// Two accesses of one transaction, and the locks that are held from the one to the other.
    struct Pair {
        Access first;
        Access second;
        std::vector<LockUse> locks;
    };
    struct Pairs {
        std::vector<Pair> found;
        bool all = true;
    };

    [[nodiscard]] PlaceId place_of(EventId event) const {
        return trace_.place_for_people(trace_[event].stack());
    }
    /// Calls visit(access) for those that may be the next of their thread while `thread` has taken at least
    /// `from` and at most `to` of its events. False: visit said so.
    template<typename Visit>
    bool for_each_concurrent(ThreadId thread, std::uint32_t from, std::uint32_t to,
                             const std::vector<Access>& others, Visit visit) const;
    void find_races(const Race& race, const AccessGroups& groups, Combinations& result) const;
    [[nodiscard]] Pairs transactions(const AtomicityViolation& violation, const AccessGroups& groups) const;
    [[nodiscard]] Pairs inferred(const AtomicityViolation& violation, const AccessGroups& groups) const;
    void add_inferred(const Access& second, std::span<const AccessGroup* const> firsts, Pairs& pairs) const;
    void add_pairs(const Access& second, EventId since, std::span<const AccessGroup* const> firsts,
                   Pairs& pairs) const;
    void add_pair(const Access& first, const Access& second, const AccessGroup& firsts, Pairs& pairs) const;
    void find_violations(const AtomicityViolation& violation, const Pairs& pairs, const AccessGroups& groups,
                         Combinations& result) const;

    const Trace& trace_;
    const RunIndex& index_;
    const DataOrder& order_;
    const PhaseOne& locks_;
    bool given_transactions_;
    const SourceBlocks* source_;
};

} // namespace heddle
