#include "analysis/what_if/retaking.h"

#include <algorithm>

namespace heddle {

Retaking::Retaking(const Trace& trace, std::vector<bool> in_order)
    : trace_(trace), in_order_(std::move(in_order)), writer_(trace),
      locks_(trace.objects(ObjectKind::lock).size()) {
    find_waits();
}

void Retaking::find_waits() {
    std::map<std::pair<std::uint32_t, std::uint64_t>, EventId> notified; // by condition and ticket
    for (const EventView event : trace_.events()) {
        const EventKind kind = event.kind();
        const bool notifies = kind == EventKind::notify || kind == EventKind::notify_all;
        if ((!notifies && kind != EventKind::wait_post) || !event.has_value()) continue;
        const std::pair ticket(event.target(), trace_.value_of(event));
        if (notifies) {
            notified[ticket] = event.id();
            continue;
        }
        const auto notify = notified.find(ticket);
        const std::size_t at = trace_.index_in_thread(event.id());
        if (notify == notified.end() || at == 0) continue;
        const EventView before = trace_[EventId{trace_.events_of(event.thread())[at - 1]}];
        if (before.kind() != EventKind::acquire && before.kind() != EventKind::acquire_shared) continue;
        woken_by_[before.id()] = notify->second;
        wakes_[notify->second].push_back(before.id());
    }
}

void Retaking::take(const EventView& event, bool atomic) {
    come({.kind = event.kind(),
          .thread = event.thread(),
          .target = event.target(),
          .recorded = event.id(),
          .stack = {},
          .atomic = atomic});
}

void Retaking::take_added(EventKind kind, ThreadId thread, LockId lock, StackId stack) {
    come({.kind = kind, .thread = thread, .target = lock.value, .recorded = {}, .stack = stack});
}

void Retaking::come(const Step& step) {
    const bool thread_waits = !waiting_.empty() && waiting_.contains(step.thread);
    if (thread_waits || !allowed(step, false)) return put_off(step);
    write(step);
    if (!waiting_.empty()) retry();
}

void Retaking::put_off(const Step& step) {
    waiting_[step.thread].push_back(step);
    if (keeps_order(step)) behind_[object_of(step)].push_back(step.thread);
}

/// Until none of those that wait can go on.
void Retaking::retry() {
    for (bool again = true; again;) {
        again = false;
        for (auto at = waiting_.begin(); at != waiting_.end();) {
            std::deque<Step>& steps = at->second;
            while (!steps.empty() && allowed(steps.front(), true)) {
                const Step step = steps.front();
                steps.pop_front();
                if (keeps_order(step)) {
                    const auto behind = behind_.find(object_of(step));
                    behind->second.pop_front();
                    if (behind->second.empty()) behind_.erase(behind);
                }
                write(step);
                again = true;
            }
            at = steps.empty() ? waiting_.erase(at) : std::next(at);
        }
    }
}

bool Retaking::allowed(const Step& step, bool put_off) const {
    if (!lock_allows(step) || sleeps(step)) return false;
    if (waiting_.empty()) return true;
    // A thread does nothing before it is started, and is waited for until it has done everything.
    if (behind_.contains({ObjectKind::thread, step.thread.value})) return false;
    if (step.kind == EventKind::join && waiting_.contains(ThreadId{step.target})) return false;
    if (!keeps_order(step)) return true;
    const auto behind = behind_.find(object_of(step));
    if (behind == behind_.end()) return true;
    // The first of those put off is the next; a thread has its own in order.
    return put_off && behind->second.front() == step.thread;
}

bool Retaking::lock_allows(const Step& step) const {
    if (step.kind != EventKind::acquire && step.kind != EventKind::acquire_shared) return true;
    const Lock& lock = locks_[step.target];
    return !lock.owner.valid() && (step.kind == EventKind::acquire_shared || lock.readers == 0);
}

bool Retaking::sleeps(const Step& step) const {
    if (step.kind != EventKind::acquire && step.kind != EventKind::acquire_shared) return false;
    return step.recorded.valid() && woken_by_.contains(step.recorded);
}

bool Retaking::keeps_order(const Step& step) const {
    switch (step.kind) {
    case EventKind::acquire:
    case EventKind::release:
    case EventKind::acquire_shared:
    case EventKind::release_shared:
    case EventKind::join:
    case EventKind::txn_begin:
    case EventKind::txn_end: return false;
    default: break;
    }
    if (is_access(step.kind)) return step.kind != EventKind::read && in_order_[step.target];
    return step.target != kNoTarget;
}

Retaking::ObjectKey Retaking::object_of(const Step& step) {
    return {*traits(step.kind).target, step.target};
}

void Retaking::write(const Step& step) {
    recorded_.push_back(step.recorded);
    if (step.recorded.valid()) {
        writer_.keep(trace_[step.recorded], step.atomic);
    } else {
        writer_.add(step.kind, step.thread, LockId{step.target}, step.stack);
    }
    switch (step.kind) {
    case EventKind::acquire: locks_[step.target].owner = step.thread; break;
    case EventKind::release: locks_[step.target].owner = {}; break;
    case EventKind::acquire_shared: ++locks_[step.target].readers; break;
    case EventKind::release_shared: --locks_[step.target].readers; break;
    case EventKind::notify:
    case EventKind::notify_all:
        for (const EventId asleep : wakes_[step.recorded]) woken_by_.erase(asleep);
        break;
    default: break;
    }
}

} // namespace heddle
