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

#include <algorithm>
#include <span>
#include <unordered_map>
#include <vector>

namespace heddle {

/// A point of each thread.
class CausalityBarrier {
  public:
    [[nodiscard]] Bound of(ThreadId thread) const { return at(2 * thread.value); }

  private:
    friend class BarrierFinder;

    explicit CausalityBarrier(const std::vector<Bound>& base) : base_(&base) {}

    struct Lowered {
        std::uint32_t line = 0;
        Bound at = 0;
    };
    void lower(std::uint32_t line, Bound at);
    [[nodiscard]] Bound at(std::uint32_t line) const {
        const auto found = std::ranges::lower_bound(lowered_, line, {}, &Lowered::line);
        return found != lowered_.end() && found->line == line ? found->at : (*base_)[line];
    }

    const std::vector<Bound>* base_; ///< of the finder, which outlives it
    std::vector<Lowered> lowered_;   ///< ascending by line; as a rule there are few
};

class BarrierFinder {
  public:
    struct Limit {
        ThreadId thread;
        Bound at_most = kNoBound;
    };

    BarrierFinder() = default;
    BarrierFinder(const BarrierFinder&) = delete;
    BarrierFinder& operator=(const BarrierFinder&) = delete;
    BarrierFinder(BarrierFinder&&) = delete;
    BarrierFinder& operator=(BarrierFinder&&) = delete;
    ~BarrierFinder() = default;

    /// Takes what was added to the trace and its seed edges since the call before.
    void extend(const Trace& trace, const SeedEdges& seeds);

    /// The last barrier that is at or before every limit.
    [[nodiscard]] CausalityBarrier last_before(std::span<const Limit> limits) const;
    /// The barrier before everything.
    [[nodiscard]] CausalityBarrier start() const;

  private:
    /// A stretch of a thread in which every point satisfies (1).
    struct Free {
        Bound from = 0;
        Bound to = kNoBound;
    };
    /// Edges from one line to another: those that no other implies. Both columns ascend.
    struct Crossing {
        std::uint32_t to_line = 0;
        std::vector<Bound> sources;
        std::vector<Bound> targets;

        void add(Bound source, Bound target);
    };

    void find_debts(std::span<const CountedSemaphore> semaphores);
    void find_free(const Trace& trace, const SeedEdges& seeds);
    void add_crossings(const Trace& trace, const SeedEdges& seeds);
    void find_base();
    [[nodiscard]] Bound retreat(std::uint32_t line, Bound at_most) const;
    void settle(CausalityBarrier& barrier, std::span<const std::uint32_t> moved) const;

    // By line: thread t is line 2 t, chain c of joints is line 2 c + 1.
    std::vector<std::vector<Free>> free_;
    std::vector<std::vector<Crossing>> crossings_;
    std::vector<Bound> base_; ///< the last barrier of the whole run

    std::size_t synchronisation_taken_ = 0;
    std::size_t edges_taken_ = 0;
    std::size_t joint_edges_taken_ = 0;
    std::size_t semaphore_operations_ = 0;
    std::unordered_map<std::uint32_t, int>
        debts_of_; ///< by semaphore operation: -1 its thread owes more than before, +1 it has given back
    std::vector<int> debts_; ///< by thread, now
};

} // namespace heddle
