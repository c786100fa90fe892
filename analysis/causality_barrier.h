// Causality barriers (seed 000, §4, Algorithm 2, for n threads): how much of each thread may be taken as
// done, in the order in which it was recorded, before a property's own window begins.
//
// A barrier is a point of each thread such that
//   (1) no thread holds a lock there, and none has taken from a counted semaphore what it gives back only
//       later: its balance is the best so far. (Not asked of a semaphore on which only one thread waits: when
//       it waits after the barrier, it has taken its earlier waits in any schedule.)
//   (2) nothing before it needs something after it: no seed edge leads back, and the post that paid for a
//   wait
//       in the recorded run is before it when the wait is.
// Then the recorded run restricted to what is before the barrier is a feasible schedule, and any feasible
// schedule remains one when those events are taken first: what follows starts with all locks free and no
// smaller counts. Seed edges that lead forward, which the paper excludes, are harmless. Barriers are closed
// under union, so there is a last one below given points; it is found by retreating from them, which costs
// only what is retreated over.
#pragma once

#include "analysis/lock_sections.h"
#include "analysis/seed_edges.h"

#include <span>
#include <unordered_map>
#include <vector>

namespace heddle {

/// A point of each thread.
class CausalityBarrier {
  public:
    [[nodiscard]] Bound of(ThreadId thread) const {
        const auto found = lowered_.find(thread.value);
        return found != lowered_.end() ? found->second : (*base_)[thread.value];
    }

  private:
    friend class BarrierFinder;

    explicit CausalityBarrier(const std::vector<Bound>& base) : base_(&base) {}

    const std::vector<Bound>* base_; ///< of the finder, which outlives it
    std::unordered_map<std::uint32_t, Bound> lowered_;
};

class BarrierFinder {
  public:
    struct Limit {
        ThreadId thread;
        Bound at_most = kNoBound;
    };

    BarrierFinder(const Trace& trace, const SeedEdges& seeds, std::span<const CountedSemaphore> semaphores);
    BarrierFinder(const BarrierFinder&) = delete;
    BarrierFinder& operator=(const BarrierFinder&) = delete;
    BarrierFinder(BarrierFinder&&) = delete;
    BarrierFinder& operator=(BarrierFinder&&) = delete;
    ~BarrierFinder() = default;

    /// The last barrier that is at or before every limit.
    [[nodiscard]] CausalityBarrier last_before(std::span<const Limit> limits) const;

  private:
    /// A stretch of a thread in which every point satisfies (1).
    struct Free {
        Bound from = 0;
        Bound to = kNoBound;
    };
    /// Edges from one line to another, with the smallest target of each edge and those after it.
    struct Crossing {
        std::uint32_t to_line = 0;
        std::vector<Bound> sources; ///< ascending
        std::vector<Bound> first_target;
    };

    void find_free(const Trace& trace, std::span<const CountedSemaphore> semaphores);
    void add_crossings(const Trace& trace, const SeedEdges& seeds,
                       std::span<const CountedSemaphore> semaphores);
    [[nodiscard]] Bound retreat(std::uint32_t line, Bound at_most) const;
    void settle(CausalityBarrier& barrier, std::vector<std::uint32_t> moved) const;

    std::vector<std::vector<Free>> free_;          ///< by line: the threads, then the chains of joints
    std::vector<std::vector<Crossing>> crossings_; ///< by line
    std::vector<Bound> base_;                      ///< the last barrier of the whole run, by line
};

} // namespace heddle
