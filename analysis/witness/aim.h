// What a property asks of a schedule, in one form for all kinds: threads that stop before an event, or an
// atomicity violation, whose second access ends the schedule.
#pragma once

#include "analysis/property.h"
#include "traces/trace.h"

#include <optional>
#include <vector>

namespace heddle {

struct Aim {
    std::vector<EventId> stops; ///< each the next event of its thread when the schedule ends
    std::optional<AtomicityViolation> violation;
};

[[nodiscard]] Aim aim_of(const Property& property);

/// The last event up to which the recorded run may be followed: what the property asks for comes after it, or
/// has come in the right order before it.
[[nodiscard]] EventId latest_base(const Property& property);

/// The last event that a property names, and so must be reached.
[[nodiscard]] EventId last_event(const Property& property);

} // namespace heddle
