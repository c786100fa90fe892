#include "daemon/replay/operations.h"

namespace heddle::replay {

namespace {

std::optional<Operation> operation_of(EventKind kind) {
    switch (kind) {
    case EventKind::read: return Operation::read;
    case EventKind::write: return Operation::write;
    case EventKind::atomic_load:
    case EventKind::atomic_store:
    case EventKind::atomic_rmw: return Operation::atomic;
    case EventKind::fence: return Operation::fence;
    case EventKind::acquire: return Operation::acquire;
    case EventKind::acquire_shared: return Operation::acquire_shared;
    case EventKind::release:
    case EventKind::release_shared: return Operation::release;
    case EventKind::fork: return Operation::fork;
    case EventKind::join: return Operation::join;
    case EventKind::notify:
    case EventKind::notify_all: return Operation::notify;
    case EventKind::barrier_leave: return Operation::barrier;
    case EventKind::sem_post: return Operation::sem_post;
    case EventKind::sem_wait: return Operation::sem_wait;
    case EventKind::once_begin:
    case EventKind::once_seen: return Operation::once;
    case EventKind::once_end: return Operation::once_done;
    default: return std::nullopt;
    }
}

} // namespace

/// A wait is wait_pre, release, acquire, wait_post; without the two in the middle if the trace does not know
/// the mutex as held.
std::optional<Meaning> OperationReader::waiting(const EventView& event) {
    switch (event.kind()) {
    case EventKind::wait_pre:
        waiting_ = Waiting::begun;
        wait_begin_ = event.id();
        return Meaning{Operation::wait, event.id()};
    case EventKind::release:
        if (waiting_ != Waiting::begun) return std::nullopt;
        waiting_ = Waiting::released;
        return Meaning{Operation::wait, wait_begin_, true};
    case EventKind::acquire:
        if (waiting_ != Waiting::released) return std::nullopt;
        waiting_ = Waiting::woken;
        wait_end_ = event.id();
        return Meaning{Operation::wake, event.id()};
    case EventKind::wait_post: {
        const bool woken = waiting_ == Waiting::woken;
        waiting_ = Waiting::no;
        return Meaning{Operation::wake, woken ? wait_end_ : event.id(), woken};
    }
    default: return std::nullopt;
    }
}

bool OperationReader::is_polling(const Trace& trace, const EventView& event) {
    if (!last_load_.valid()) return false;
    const EventView last = trace[last_load_];
    return last.variable() == event.variable() && last.bytes() == event.bytes() &&
           trace.place_of(last.stack()) == trace.place_of(event.stack()) && last.has_value() &&
           event.has_value() && last.raw_value() == event.raw_value();
}

std::optional<Meaning> OperationReader::next(const Trace& trace, const EventView& event) {
    std::optional<Meaning> meaning = waiting(event);
    if (!meaning) {
        const std::optional<Operation> operation = operation_of(event.kind());
        if (!operation) return std::nullopt;
        meaning = Meaning{*operation, event.id()};
    }
    if (is_plain(meaning->operation)) return meaning;
    if (event.kind() == EventKind::atomic_load) {
        if (is_polling(trace, event)) return Meaning{Operation::atomic, last_load_, true};
        last_load_ = event.id();
    } else {
        last_load_ = {};
    }
    return meaning;
}

} // namespace heddle::replay
