// What one pass over a run gathers for the search for races and atomicity violations: phase I of seed 001,
// section 4. For every thread and variable, where the thread may stand when it makes an access (the sets R
// and W, as cells) and where it may stand between two accesses of one transaction (WW and AA).
//
// Online: extend() takes the events recorded since. Whether a critical section waits inside, and is then no
// transaction, is known only at its end; so what a thread does while transactions are open is put off until
// none is. What is open still goes into sets of its own, which the next extend() makes anew: the result of a
// run is the same whether it came at once or in pieces.
#pragma once

#include "analysis/access_cells.h"
#include "analysis/hard_order.h"
#include "analysis/inferred_pairs.h"
#include "analysis/lock_dependencies.h"
#include "analysis/lock_futures.h"
#include "analysis/lock_profiles.h"
#include "analysis/marked_runs.h"
#include "analysis/source_blocks.h"
#include "analysis/transaction_pairs.h"
#include "analysis/transactions.h"
#include "traces/progress.h"

#include <array>
#include <span>
#include <vector>

namespace heddle {

struct PhaseOneOptions {
    std::vector<TransactionBlock> given; ///< transactions besides critical sections and marked blocks
    /// What the source tells of the run's stacks, if anything is known. May grow between calls of extend(),
    /// for stacks that no event taken before has; must outlive this object.
    const SourceBlocks* source = nullptr;
    std::vector<bool> futures; ///< threads (by index) for which to tell futures apart; see lock_futures.h
    std::size_t max_places = kMaxPlaces;
    /// From how many accesses of one stretch on to fold them (stretch_folding.h). Most never have so many.
    std::size_t fold_from = std::size_t{1} << 16U;
    /// Tell accesses apart by segment and place, too; without one it is the paper's. Must outlive this
    /// object.
    const HardOrder* order = nullptr;
    /// To share the work: looks only at variables whose number leaves this remainder when divided by the
    /// shards.
    std::uint32_t shard = 0;
    std::uint32_t shards = 1; ///< a power of two
};

class PhaseOne {
  public:
    explicit PhaseOne(PhaseOneOptions options = {});
    PhaseOne(const PhaseOne&) = delete;
    PhaseOne& operator=(const PhaseOne&) = delete;
    PhaseOne(PhaseOne&&) = delete;
    PhaseOne& operator=(PhaseOne&&) = delete;
    ~PhaseOne() = default;

    /// Takes the events after those of the call before, whose trace this one must extend. False: told to
    /// stop; then of what is still open only a bounded part is looked at.
    bool extend(const Trace& trace, const Progress& progress = {});

    /// The accesses, and the pairs that transactions make of them.
    struct Sets {
        Sets(LockProfiles& profiles, LockFutures& futures, std::size_t max_places)
            : pairs(profiles, futures, cells, max_places) {}
        AccessCells cells;
        TransactionPairs pairs;
        InferredPairs inferred;
    };
    /// What is settled, and what is not because a transaction is still open.
    [[nodiscard]] std::array<const Sets*, 2> sets() const { return {&settled_, &open_}; }
    /// Variables whose sets may have changed since this was asked last, each once.
    [[nodiscard]] std::vector<VarId> take_changed();
    [[nodiscard]] std::size_t taken() const { return taken_; }
    /// Accesses that are kept until it is known what they belong to.
    [[nodiscard]] std::size_t waiting() const;
    /// Whether all that was taken is in the sets: else a stop left out some of what is open.
    [[nodiscard]] bool whole() const { return whole_; }

    [[nodiscard]] LockProfiles& profiles() { return profiles_; }
    [[nodiscard]] const LockProfiles& profiles() const { return profiles_; }
    [[nodiscard]] LockFutures& futures() { return futures_; }
    /// With a hard order, and of shard 0 only.
    [[nodiscard]] const LockDependencies& dependencies() const { return dependencies_; }
    /// What the thread of an event holds when it gets there. Of shard 0 only.
    [[nodiscard]] ProfileId profile_before(ThreadId thread, EventId event) const;

  private:
    struct Thread {
        explicit Thread(ThreadId thread) : id(thread), scanner(thread), marked(thread) {}

        // What every access looks at comes first.
        std::uint32_t index = 0;              ///< of its next event
        std::uint32_t next_start = kNoTarget; ///< index at which the next segment of the hard order begins
        SegmentId segment;
        EventId last;
        std::uint32_t sync = 0; ///< synchronisation events so far
        ProfileId profile = LockProfiles::empty();
        ThreadId id;
        bool in_stretch = false; ///< transactions are open
        EventId given_until{0U};
        std::size_t next_given = 0;
        std::vector<TransactionBlock> given; ///< by first
        Stretch stretch;
        TransactionScanner scanner;
        MarkedRuns marked;
        PendingReads pending;
        std::size_t next_segment = 0;
        std::vector<ProfileTurn> turns; ///< its lock events; see keeps_turns()
    };

    void add_threads(const Trace& trace);
    void find_next_segment(Thread& thread) const;
    void enter_segment(Thread& thread) const;
    /// `before`: the segment that the thread was in before the event.
    void take_access(const Trace& trace, EventView event, Thread& thread, SegmentId before);
    void take_synchronisation(const Trace& trace, EventView event, Thread& thread);
    void begin_given(EventId now, Thread& thread) const;
    void follow_marks(const EventView& event, Thread& thread);
    void infer(std::span<const Access> accesses, std::span<const Stretch::Part> parts, Sets& sets,
               std::size_t cells_before, Thread* thread);
    void take_lock(const Trace& trace, const EventView& event, Thread& thread);
    void end_stretch(EventId now, Thread& thread);
    void settle(Thread& thread, Sets& sets, const TransactionPairs::More& more = {});
    void settle_loose();
    void settle_open(const Progress& progress, bool stopped);
    void settle_open(Thread& thread, const TransactionPairs::More& more);
    void tell_futures(Stretch& stretch);
    [[nodiscard]] bool keeps_turns() const { return options_.shard == 0 || options_.source != nullptr; }
    /// Whether no transaction is open after an event.
    [[nodiscard]] static bool idle(const Thread& thread, EventId now) {
        return thread.scanner.idle() && thread.marked.idle() && now >= thread.given_until;
    }
    [[nodiscard]] bool with_futures(ThreadId thread) const {
        return thread.value < options_.futures.size() && options_.futures[thread.value];
    }

    PhaseOneOptions options_;
    LockProfiles profiles_;
    LockFutures futures_;
    LockDependencies dependencies_;
    Sets settled_;
    Sets open_;
    std::vector<Thread> threads_;
    std::size_t taken_ = 0;
    bool whole_ = true;
    bool any_marks_ = false;      ///< in the source, so far
    std::vector<VarId> was_open_; ///< variables, when take_changed() was called last
    std::vector<Access> loose_;   ///< outside of transactions, not in cells yet
    std::vector<Stretch::Part> loose_parts_;
};

} // namespace heddle
