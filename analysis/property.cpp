#include "analysis/property.h"

#include "traces/hash.h"

namespace heddle {

std::vector<EventId> events_of(const Property& property) {
    if (const auto* race = std::get_if<Race>(&property)) return {race->first, race->second};
    if (const auto* triple = std::get_if<AtomicityViolation>(&property))
        return {triple->first, triple->remote, triple->second};
    std::vector<EventId> requests;
    for (const DeadlockStep& step : std::get<Deadlock>(property).steps) requests.push_back(step.requests);
    return requests;
}

std::size_t PropertyHash::operator()(const Property& property) const {
    std::uint64_t hash = property.index();
    for (const EventId event : events_of(property)) hash = hash_mix(hash, event.value);
    return hash;
}

} // namespace heddle
