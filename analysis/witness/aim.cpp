#include "analysis/witness/aim.h"

#include <algorithm>

namespace heddle {

Aim aim_of(const Property& property) {
    if (const auto* violation = std::get_if<AtomicityViolation>(&property)) return {{}, *violation};
    return {events_of(property), std::nullopt};
}

EventId latest_base(const Property& property) {
    if (const auto* violation = std::get_if<AtomicityViolation>(&property))
        return violation->remote < violation->first ? violation->remote : violation->second;
    return std::ranges::min(events_of(property));
}

EventId last_event(const Property& property) {
    return std::ranges::max(events_of(property));
}

} // namespace heddle
