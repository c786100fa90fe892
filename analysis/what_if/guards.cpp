#include "analysis/what_if/guards.h"

#include <algorithm>

namespace heddle {

namespace {

struct Held {
    LockId lock;
    EventId since;
};

void follow(const EventView& event, std::vector<Held>& held) {
    if (event.kind() == EventKind::acquire) held.push_back({event.lock(), event.id()});
    if (event.kind() == EventKind::release)
        std::erase_if(held, [&](const Held& one) { return one.lock == event.lock(); });
}

} // namespace

std::map<VarId, Guard> guards(const Trace& trace, const std::vector<VarId>& variables,
                              const std::vector<bool>& elsewhere) {
    std::vector<bool> asked(trace.objects(ObjectKind::variable).size());
    for (const VarId variable : variables) asked[variable.value] = true;
    std::vector<std::vector<Held>> held(trace.thread_count());
    std::map<VarId, std::uint64_t> accesses;
    std::map<VarId, std::vector<Guard>> seen; // by variable: its locks, in the order in which they came
    for (const EventView event : trace.events()) {
        follow(event, held[event.thread().value]);
        if (!is_access(event.kind()) || !asked[event.target()]) continue;
        const PlaceId place = trace.place_for_people(event.stack());
        if (place.valid() && elsewhere[place.value]) continue;
        ++accesses[event.variable()];
        std::vector<Guard>& locks = seen[event.variable()];
        for (const Held& one : held[event.thread().value]) {
            auto known = std::ranges::find(locks, one.lock, &Guard::lock);
            if (known == locks.end())
                known = locks.insert(known, {.lock = one.lock, .acquired = one.since, .access = event.id()});
            ++known->held;
        }
    }
    std::map<VarId, Guard> result;
    for (const auto& [variable, locks] : seen) {
        const auto best = std::ranges::max_element(locks, {}, &Guard::held);
        if (best == locks.end()) continue;
        result[variable] = *best;
        result[variable].accesses = accesses[variable];
    }
    return result;
}

} // namespace heddle
