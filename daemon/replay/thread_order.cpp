#include "daemon/replay/thread_order.h"

#include <algorithm>

namespace heddle::replay {

namespace {

constexpr std::size_t kMostThreadsFollowed = 2048;

/// Replaces the thread's use of the same bytes, or adds it.
template<typename Uses, typename Use>
void remember(Uses& uses, const Use& use) {
    const auto same = std::find_if(uses.begin(), uses.end(), [&](const Use& old) {
        return old.thread == use.thread && old.bytes == use.bytes && old.writes == use.writes;
    });
    if (same == uses.end()) {
        uses.push_back(use);
    } else {
        *same = use;
    }
}

bool covers(ByteRange outer, ByteRange inner) {
    return outer.offset <= inner.offset && inner.offset + inner.size <= outer.offset + outer.size;
}

} // namespace

ThreadOrder::ThreadOrder(const Trace& trace)
    : trace_(trace), transitive_(trace.thread_count() <= kMostThreadsFollowed),
      threads_(trace.thread_count()) {}

void ThreadOrder::learn(ThreadPart& thread, const Clock& other) {
    if (thread.known.size() < other.size()) thread.known.resize(other.size(), 0);
    for (std::size_t i = 0; i < other.size(); ++i) thread.known[i] = std::max(thread.known[i], other[i]);
}

ThreadOrder::Clock ThreadOrder::known_now(ThreadId thread) const {
    Clock clock = transitive_ ? threads_[thread.value].known : Clock();
    if (clock.size() <= thread.value) clock.resize(thread.value + 1, 0);
    clock[thread.value] = threads_[thread.value].last;
    return clock;
}

void ThreadOrder::require(const Use& before, const Use& after) {
    if (before.thread == after.thread) return;
    ThreadPart& thread = threads_[after.thread.value];
    if (thread.known.size() <= before.thread.value) thread.known.resize(before.thread.value + 1, 0);
    std::uint32_t& known = thread.known[before.thread.value];
    if (known >= before.position) return;
    known = before.position;
    edges_.push_back({before.event, after.event});
}

/// The latest of each thread suffices; the others are known with it.
void ThreadOrder::order_alike(std::vector<Use>& earlier, const Use& use) {
    for (std::size_t i = earlier.size(); i-- > 0;) require(earlier[i], use);
    remember(earlier, use);
}

void ThreadOrder::order_access(const EventView& event, const Use& use) {
    std::vector<Use>& earlier = accesses_[event.variable().value];
    std::ranges::sort(earlier, {}, &Use::position);
    for (std::size_t i = earlier.size(); i-- > 0;) {
        const Use& other = earlier[i];
        if ((other.writes || use.writes) && other.bytes.overlaps(use.bytes)) require(other, use);
    }
    // What comes after a write is after all that was before it.
    if (use.writes) std::erase_if(earlier, [&](const Use& old) { return covers(use.bytes, old.bytes); });
    remember(earlier, use);
    if (reads_memory(event.kind())) remember(reads_[event.variable().value], use);
}

void ThreadOrder::order_lock(const EventView& event, const Use& use) {
    LockPart& lock = locks_[event.lock().value];
    const bool shared =
        event.kind() == EventKind::acquire_shared || event.kind() == EventKind::release_shared;
    if (event.kind() == EventKind::acquire || event.kind() == EventKind::acquire_shared) {
        for (std::size_t i = lock.released.size(); i-- > 0;) {
            if (!shared || lock.released[i].writes) require(lock.released[i], use);
        }
        learn(threads_[use.thread.value], lock.known);
    } else {
        Use release = use;
        release.writes = !shared;
        if (!shared) lock.released.clear();
        lock.released.push_back(release);
        lock.known = known_now(use.thread);
    }
    Use any = use;
    any.writes = false;
    remember(lock.used, any);
}

void ThreadOrder::order_condition(const EventView& event, const Use& use) {
    Waits& waits = conditions_[event.condition().value];
    switch (event.kind()) {
    case EventKind::wait_pre: // a notify that was given before must not end this wait
        for (const Use& notify : waits.notified) require(notify, use);
        waits.waiting.push_back(use);
        break;
    case EventKind::wait_post:
        std::erase_if(waits.waiting, [&](const Use& wait) { return wait.thread == use.thread; });
        if (const auto notify = waits.tickets.find(event.raw_value());
            event.has_value() && notify != waits.tickets.end())
            require(notify->second, use);
        break;
    default: // a notify finds the threads waiting that it found
        for (const Use& wait : waits.waiting) require(wait, use);
        remember(waits.notified, use);
        if (event.has_value()) waits.tickets[event.raw_value()] = use;
        return;
    }
    remember(waits.used, use);
}

void ThreadOrder::keep_natural_order(const EventView& event) {
    ThreadPart& self = threads_[event.thread().value];
    switch (event.kind()) {
    case EventKind::fork: forks_[event.other_thread().value] = known_now(event.thread()); break;
    case EventKind::thread_begin: {
        const auto fork = forks_.find(event.thread().value);
        if (fork != forks_.end()) learn(self, fork->second);
        break;
    }
    case EventKind::join: learn(self, known_now(event.other_thread())); break;
    case EventKind::barrier_enter: {
        Clock& round = barriers_[{event.barrier().value, event.raw_value()}];
        const Clock mine = known_now(event.thread());
        if (round.size() < mine.size()) round.resize(mine.size(), 0);
        for (std::size_t i = 0; i < mine.size(); ++i) round[i] = std::max(round[i], mine[i]);
        break;
    }
    case EventKind::barrier_leave: {
        const auto round = barriers_.find({event.barrier().value, event.raw_value()});
        if (round != barriers_.end()) learn(self, round->second);
        break;
    }
    default: break;
    }
}

void ThreadOrder::order(const EventView& event, const Meaning& meaning) {
    const Use use{event.thread(), position_, meaning.event, event.bytes(), writes_memory(event.kind())};
    if (is_access(event.kind())) return order_access(event, use);
    switch (event.kind()) {
    case EventKind::acquire:
    case EventKind::acquire_shared:
    case EventKind::release:
    case EventKind::release_shared: return order_lock(event, use);
    case EventKind::wait_pre:
    case EventKind::wait_post:
    case EventKind::notify:
    case EventKind::notify_all: return order_condition(event, use);
    case EventKind::sem_wait: return order_alike(semaphores_[event.semaphore().value], use);
    case EventKind::once_begin:
    case EventKind::once_seen: return order_alike(onces_[event.once().value], use);
    default: return;
    }
}

void ThreadOrder::take(EventId id) {
    const EventView event = trace_[id];
    ThreadPart& thread = threads_[event.thread().value];
    ++position_;
    ++thread.taken;
    const std::optional<Meaning> meaning = thread.reader.next(trace_, event);
    if (meaning) order(event, *meaning);
    thread.last = position_;
    keep_natural_order(event);
}

void ThreadOrder::stand(EventId id) {
    const EventView event = trace_[id];
    ThreadPart& thread = threads_[event.thread().value];
    ++thread.taken;
    const std::optional<Meaning> meaning = thread.reader.next(trace_, event);
    if (!meaning) return;
    const Use use{event.thread(), position_ + 1, meaning->event, event.bytes(), writes_memory(event.kind())};
    if (!is_access(event.kind())) return;
    for (const Use& other : accesses_[event.variable().value]) {
        if ((other.writes || use.writes) && other.bytes.overlaps(use.bytes)) require(other, use);
    }
}

std::vector<EventId> ThreadOrder::later(const std::vector<Use>& uses, const EventView& event) const {
    std::vector<EventId> result;
    for (const Use& use : uses) {
        if (use.thread != event.thread() && use.position > threads_[event.thread().value].last)
            result.push_back(use.event);
    }
    return result;
}

std::vector<EventId> ThreadOrder::held_back_by(const EventView& event, const Meaning& meaning) const {
    const auto of = [&](const auto& table) -> std::vector<EventId> {
        const auto found = table.find(event.target());
        return found == table.end() ? std::vector<EventId>() : later(found->second, event);
    };
    if (writes_memory(event.kind())) {
        const auto found = reads_.find(event.variable().value);
        if (found == reads_.end()) return {};
        std::vector<Use> overlapping;
        std::ranges::copy_if(found->second, std::back_inserter(overlapping),
                             [&](const Use& use) { return use.bytes.overlaps(event.bytes()); });
        return later(overlapping, event);
    }
    switch (meaning.operation) {
    case Operation::wake: // takes its mutex again
        if (event.kind() != EventKind::acquire) return {};
        [[fallthrough]];
    case Operation::acquire:
    case Operation::acquire_shared: {
        const auto found = locks_.find(event.lock().value);
        return found == locks_.end() ? std::vector<EventId>() : later(found->second.used, event);
    }
    case Operation::notify: {
        const auto found = conditions_.find(event.condition().value);
        return found == conditions_.end() ? std::vector<EventId>() : later(found->second.used, event);
    }
    case Operation::sem_wait: return of(semaphores_);
    default: return {};
    }
}

} // namespace heddle::replay
