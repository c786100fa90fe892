#include "analysis/witness/lock_requests.h"

#include "traces/tried.h"

#include <algorithm>

namespace heddle {

LockRequests::LockRequests(const UcgContext& context, const DataOrder& order) {
    const Trace& trace = context.trace;
    for (const std::vector<Bound>& events : context.skeleton) {
        std::vector<LockRequest::Held> held;
        for (const Bound bound : events) {
            const EventView event = trace[EventId{bound}];
            if (!is_lock_event(event.kind())) continue;
            if (!acquires_lock(event.kind())) {
                std::erase_if(held, [&](const auto& one) { return one.use.lock == event.lock(); });
                continue;
            }
            const LockUse asks{event.lock(),
                               event.kind() == EventKind::acquire ? LockMode::exclusive : LockMode::shared};
            if (!held.empty() && !was_tried(event))
                add(trace, event, {order.place(trace, event.id()), asks, held});
            held.push_back({asks, event.id()});
        }
    }
}

void LockRequests::add(const Trace& trace, const EventView& acquire, LockRequest request) {
    const PlaceId place = trace.place_for_people(acquire.stack());
    const LockId lock = place.valid() ? LockId{} : acquire.lock();
    Rows& rows = requests_[{place.value, lock.value}];
    // Threads come one after the other.
    if (rows.empty() || rows.back().front().at.thread != acquire.thread()) rows.emplace_back();
    rows.back().push_back(std::move(request));
}

const LockRequests::Rows& LockRequests::of(const Kind& kind) const {
    const auto found = requests_.find(kind);
    return found == requests_.end() ? none_ : found->second;
}

} // namespace heddle
