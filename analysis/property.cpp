#include "analysis/property.h"

namespace heddle {

std::vector<EventId> events_of(const Property& property) {
    if (const auto* race = std::get_if<Race>(&property)) return {race->first, race->second};
    if (const auto* triple = std::get_if<AtomicityViolation>(&property))
        return {triple->first, triple->remote, triple->second};
    std::vector<EventId> requests;
    for (const DeadlockStep& step : std::get<Deadlock>(property).steps) requests.push_back(step.requests);
    return requests;
}

} // namespace heddle
