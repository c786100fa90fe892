// What a recorded run had made of its threads by any point of it: who forked them, how far they were, which
// locks they held. For telling a schedule, which begins with the run as recorded (schedule.h).
//
// One pass over the run to make; a question costs O(log events), about locks up to 1,024 events more.
#pragma once

#include "analysis/lock_profiles.h"
#include "traces/trace.h"

#include <cstdint>
#include <vector>

namespace heddle {

/// A lock that a thread has, and the acquire that gave it.
struct HeldLock {
    LockId lock;
    LockMode mode = LockMode::exclusive;
    EventId since;

    bool operator==(const HeldLock&) const = default;
};

/// What a thread holds after one more of its events. The earliest acquired comes first.
void take_lock_event(const EventView& event, std::vector<HeldLock>& held);

class ThreadPasts {
  public:
    explicit ThreadPasts(Trace trace);

    [[nodiscard]] const Trace& trace() const { return trace_; }
    /// Invalid when the run does not tell.
    [[nodiscard]] EventId forked_by(ThreadId thread) const { return forks_[thread.value]; }
    /// How many events a thread made before an event, which need not be its own.
    [[nodiscard]] std::uint32_t taken(ThreadId thread, EventId before) const;
    [[nodiscard]] std::vector<HeldLock> held(ThreadId thread, EventId before) const;

  private:
    static constexpr std::uint32_t kEvery = 1024;

    Trace trace_;
    std::vector<EventId> forks_; ///< by thread
    /// By thread: what it held after every kEvery of its events.
    std::vector<std::vector<std::vector<HeldLock>>> marks_;
};

} // namespace heddle
