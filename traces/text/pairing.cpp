#include "traces/text/pairing.h"

#include <algorithm>
#include <limits>

namespace heddle::text {

bool Pairing::complete(Event& event, bool unmatched) {
    ++now_;
    switch (event.kind) {
    case EventKind::wait_pre: conditions_[event.target].waiting_since[event.thread.value] = now_; return true;
    case EventKind::wait_post: wait_post(conditions_[event.target], event, unmatched); return true;
    case EventKind::notify:
    case EventKind::notify_all: return notify(conditions_[event.target], event, unmatched);
    case EventKind::barrier_enter: barrier_enter(barriers_[event.target], event, unmatched); return true;
    case EventKind::barrier_leave: barrier_leave(barriers_[event.target], event, unmatched); return true;
    default: return true;
    }
}

bool Pairing::notify(Condition& condition, Event& event, bool unmatched) {
    if (unmatched) return true;
    if (event.value) {
        if (std::binary_search(derived_tickets_.begin(), derived_tickets_.end(), *event.value)) return false;
    } else {
        // No number is left above the highest: better no ticket than one given twice.
        if (highest_ticket_ == std::numeric_limits<std::uint64_t>::max()) return true;
        event.value = highest_ticket_ + 1;
        derived_tickets_.push_back(*event.value);
    }
    highest_ticket_ = std::max(highest_ticket_, *event.value);
    if (condition.waiting_since.empty()) return true;
    if (event.kind == EventKind::notify_all) {
        condition.last_notify_all = now_;
        condition.last_notify_all_ticket = *event.value;
    } else {
        condition.unused_notifies.emplace(now_, *event.value);
        condition.notify_times.insert_or_assign(*event.value, now_);
    }
    return true;
}

void Pairing::wait_post(Condition& condition, Event& event, bool unmatched) {
    const auto waiting = condition.waiting_since.find(event.thread.value);
    if (event.value) {
        use(condition, *event.value);
    } else if (!unmatched && waiting != condition.waiting_since.end()) {
        const auto notify = condition.unused_notifies.upper_bound(waiting->second);
        if (notify != condition.unused_notifies.end()) {
            event.value = notify->second;
            condition.unused_notifies.erase(notify);
        } else if (condition.last_notify_all > waiting->second) {
            event.value = condition.last_notify_all_ticket;
        }
    }
    if (waiting != condition.waiting_since.end()) condition.waiting_since.erase(waiting);
    if (condition.waiting_since.empty()) {
        condition.unused_notifies.clear();
        condition.notify_times.clear();
    }
}

void Pairing::use(Condition& condition, std::uint64_t ticket) {
    const auto time = condition.notify_times.find(ticket);
    if (time == condition.notify_times.end()) return;
    condition.unused_notifies.erase(time->second);
    condition.notify_times.erase(time);
}

void Pairing::barrier_enter(Barrier& barrier, Event& event, bool unmatched) {
    if (unmatched) return;
    if (!event.value) event.value = barrier.left ? barrier.round + 1 : barrier.round;
    if (*event.value > barrier.round) {
        barrier.round = *event.value;
        barrier.left = false;
    }
    barrier.entered[event.thread.value] = *event.value;
}

void Pairing::barrier_leave(Barrier& barrier, Event& event, bool unmatched) {
    if (unmatched) return;
    if (!event.value) {
        const auto entered = barrier.entered.find(event.thread.value);
        if (entered == barrier.entered.end()) return;
        event.value = entered->second;
    }
    if (*event.value > barrier.round) barrier.round = *event.value;
    if (*event.value == barrier.round) barrier.left = true;
}

} // namespace heddle::text
