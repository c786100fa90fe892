#include "daemon/report/report_places.h"

namespace heddle::report {

source::Operation operation_at(const EventView& event) {
    using source::Operation;
    switch (event.kind()) {
    case EventKind::read:
    case EventKind::atomic_load: return Operation::read;
    case EventKind::write:
    case EventKind::atomic_store: return Operation::write;
    case EventKind::atomic_rmw: return Operation::update;
    case EventKind::acquire:
    case EventKind::release:
    case EventKind::acquire_shared:
    case EventKind::release_shared: return Operation::lock;
    case EventKind::wait_pre:
    case EventKind::wait_post:
    case EventKind::notify:
    case EventKind::notify_all:
    case EventKind::barrier_enter:
    case EventKind::barrier_leave:
    case EventKind::sem_init:
    case EventKind::sem_post:
    case EventKind::sem_wait: return Operation::signal;
    case EventKind::fork:
    case EventKind::join: return Operation::thread;
    default: return Operation::other;
    }
}

std::string object_at(const Trace& trace, const EventView& event) {
    if (is_access(event.kind())) return trace.accessed_name(event);
    const auto target = traits(event.kind()).target;
    if (target != ObjectKind::lock && target != ObjectKind::condition) return {};
    return std::string(trace.name(*target, event.target()));
}

SourcePlace source_place(const Trace& trace, PlaceId id, const SourceExpressions& expressions) {
    if (!id.valid()) return {};
    const Place& place = trace.places()[id.value];
    SourcePlace result;
    result.file = expressions.local(trace.string(place.file));
    result.line = place.line;
    result.column = place.column;
    result.function = trace.string(place.function);
    return result;
}

} // namespace heddle::report
