#include "analysis/witness/thread_pasts.h"

#include <algorithm>
#include <utility>

namespace heddle {

void take_lock_event(const EventView& event, std::vector<HeldLock>& held) {
    switch (event.kind()) {
    case EventKind::acquire: held.push_back({event.lock(), LockMode::exclusive, event.id()}); break;
    case EventKind::acquire_shared: held.push_back({event.lock(), LockMode::shared, event.id()}); break;
    case EventKind::release:
    case EventKind::release_shared:
        std::erase_if(held, [&](const HeldLock& one) { return one.lock == event.lock(); });
        break;
    default: break;
    }
}

ThreadPasts::ThreadPasts(Trace trace) : trace_(std::move(trace)) {
    const std::size_t threads = trace_.thread_count();
    forks_.resize(threads);
    marks_.resize(threads);
    std::vector<std::vector<HeldLock>> held(threads);
    std::vector<std::uint32_t> taken(threads);
    for (const EventView event : trace_.events()) {
        const std::uint32_t thread = event.thread().value;
        if (event.kind() == EventKind::fork) {
            EventId& fork = forks_[event.other_thread().value];
            if (!fork.valid()) fork = event.id();
        }
        take_lock_event(event, held[thread]);
        if (++taken[thread] % kEvery == 0) marks_[thread].push_back(held[thread]);
    }
}

std::uint32_t ThreadPasts::taken(ThreadId thread, EventId before) const {
    const ThreadIndex& events = trace_.events_of(thread);
    std::size_t low = 0;
    std::size_t high = events.size();
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (events[middle] < before.value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return static_cast<std::uint32_t>(low);
}

std::vector<HeldLock> ThreadPasts::held(ThreadId thread, EventId before) const {
    const std::uint32_t last = taken(thread, before);
    const std::uint32_t marks = last / kEvery;
    std::vector<HeldLock> held;
    if (marks > 0) held = marks_[thread.value][marks - 1];
    const ThreadIndex& events = trace_.events_of(thread);
    for (std::uint32_t at = marks * kEvery; at < last; ++at) {
        take_lock_event(trace_[EventId{events[at]}], held);
    }
    return held;
}

} // namespace heddle
