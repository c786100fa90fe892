// Takes the events of a changed run in an order that a real execution could have had: as recorded, but that a
// thread which asks for a lock that another one has waits for it, and what it would have done meanwhile comes
// later. Events of one condition, barrier, semaphore, … and all but plain reads of one variable that is
// accessed atomically stay in their order, so that what was matched stays matched. Who waits for a condition
// takes the lock again when it has been notified, though a trace may have that earlier.
//
// O(1) for a step while nobody waits, O(threads that wait) otherwise.
#pragma once

#include "analysis/what_if/run_writer.h"

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace heddle {

class Retaking {
  public:
    /// `in_order`: by variable, those whose accesses keep their order.
    Retaking(const Trace& trace, std::vector<bool> in_order);

    /// The next event of the recorded order.
    void take(const EventView& event, bool atomic);
    /// One that the change adds here; `stack` is where.
    void take_added(EventKind kind, ThreadId thread, LockId lock, StackId stack);

    /// Whether everything has been taken; otherwise threads wait for each other.
    [[nodiscard]] bool complete() const { return waiting_.empty(); }
    [[nodiscard]] Trace trace() const { return writer_.trace(); }
    /// By event of the result: which it was; invalid for those of the change.
    [[nodiscard]] const std::vector<EventId>& recorded() const { return recorded_; }

  private:
    using ObjectKey = std::pair<ObjectKind, std::uint32_t>;
    struct Step {
        EventKind kind = EventKind::read;
        ThreadId thread;
        std::uint32_t target = kNoTarget;
        EventId recorded; ///< invalid: added
        StackId stack;    ///< of an added one
        bool atomic = false;
    };
    struct Lock {
        ThreadId owner; ///< exclusive
        std::uint32_t readers = 0;
    };

    void find_waits();
    void come(const Step& step);
    void put_off(const Step& step);
    void retry();
    void write(const Step& step);
    [[nodiscard]] bool allowed(const Step& step, bool put_off) const;
    [[nodiscard]] bool lock_allows(const Step& step) const;
    [[nodiscard]] bool sleeps(const Step& step) const;
    [[nodiscard]] bool keeps_order(const Step& step) const;
    [[nodiscard]] static ObjectKey object_of(const Step& step);

    const Trace& trace_;
    std::vector<bool> in_order_;
    RunWriter writer_;
    std::vector<EventId> recorded_;
    std::vector<Lock> locks_;
    std::map<EventId, EventId> woken_by_; ///< an acquire that ends a wait: the notify, until that was taken
    std::map<EventId, std::vector<EventId>> wakes_;    ///< the reverse
    std::map<ThreadId, std::deque<Step>> waiting_;     ///< what threads have yet to do, if anything
    std::map<ObjectKey, std::deque<ThreadId>> behind_; ///< objects whose events are put off, and by whom
};

} // namespace heddle
