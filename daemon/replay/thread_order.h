// Which operations of a schedule have to wait for another thread's, so that what conflicts happens in the
// schedule's order: accesses of the same bytes, uses of a lock, a condition, a semaphore or a once. Orders
// that the program keeps by itself (creating and joining threads, barriers) and orders that follow from
// others are left out.
#pragma once

#include "daemon/replay/operations.h"
#include "traces/trace.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heddle::replay {

/// `before` is done before `after` begins.
struct Edge {
    EventId before;
    EventId after;
};

class ThreadOrder {
  public:
    explicit ThreadOrder(const Trace& trace);

    /// The schedule's next event. Events of a thread come in its order.
    void take(EventId event);
    /// The same for one that the thread stands at: others of the violation are not ordered with it.
    void stand(EventId event);
    [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }

    /// What must be done before a thread may do `event`, which is beyond the schedule and would disturb it:
    /// writes are held back from later reads, acquisitions and wake-ups from later uses.
    [[nodiscard]] std::vector<EventId> held_back_by(const EventView& event, const Meaning& meaning) const;
    /// How many events of the thread were taken.
    [[nodiscard]] std::size_t taken(ThreadId thread) const { return threads_[thread.value].taken; }

  private:
    using Clock = std::vector<std::uint32_t>; ///< by thread: up to which position (from 1) of the schedule
    struct Use {
        ThreadId thread;
        std::uint32_t position = 0;
        EventId event;
        ByteRange bytes;
        bool writes = false;
    };
    struct ThreadPart {
        OperationReader reader;
        Clock known;
        std::uint32_t last = 0; ///< position
        std::size_t taken = 0;
    };
    struct LockPart {
        std::vector<Use> released; ///< exclusively, then shared since
        std::vector<Use> used;     ///< the last use by each thread
        Clock known;
    };
    struct Waits {
        std::vector<Use> waiting;
        std::vector<Use> used;
        std::vector<Use> notified;
        std::unordered_map<std::uint64_t, Use> tickets; ///< of notifies
    };

    void order(const EventView& event, const Meaning& meaning);
    void order_access(const EventView& event, const Use& use);
    void order_lock(const EventView& event, const Use& use);
    void order_condition(const EventView& event, const Use& use);
    void order_alike(std::vector<Use>& earlier, const Use& use);
    void keep_natural_order(const EventView& event);
    void require(const Use& before, const Use& after);
    void learn(ThreadPart& thread, const Clock& other);
    [[nodiscard]] Clock known_now(ThreadId thread) const;
    [[nodiscard]] std::vector<EventId> later(const std::vector<Use>& uses, const EventView& event) const;

    const Trace& trace_;
    std::uint32_t position_ = 0;
    bool transitive_; ///< too many threads to follow what each knows of all
    std::vector<Edge> edges_;
    std::vector<ThreadPart> threads_;
    std::unordered_map<std::uint32_t, std::vector<Use>> accesses_; ///< by variable
    std::unordered_map<std::uint32_t, std::vector<Use>> reads_;
    std::unordered_map<std::uint32_t, LockPart> locks_;
    std::unordered_map<std::uint32_t, Waits> conditions_;
    std::unordered_map<std::uint32_t, std::vector<Use>> semaphores_;
    std::unordered_map<std::uint32_t, std::vector<Use>> onces_;
    std::unordered_map<std::uint32_t, Clock> forks_;                    ///< by the thread that is created
    std::map<std::pair<std::uint32_t, std::uint64_t>, Clock> barriers_; ///< by barrier and round
};

} // namespace heddle::replay
