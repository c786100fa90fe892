// Which steps of a schedule a person needs to see to follow it to the violation.
#pragma once

#include "analysis/property.h"
#include "traces/trace.h"

#include <cstddef>
#include <span>
#include <vector>

namespace heddle {

/// Events in the order in which a schedule takes them, then those that the violation leaves standing.
struct ToldSteps {
    std::vector<EventId> events;
    std::size_t taken = 0; ///< how many of them the schedule takes
};

/// By step, whether it is shown:
///   - always: the property's events, the acquires of locks that its threads hold at the end, the begin of
///     the marked block around it, and the forks of the threads that are shown;
///   - as long as there are no more than `enough`: steps that make one thread wait for another
///     (step_links.h), from the threads of the property outwards and the latest first; then single steps
///     between others; then the other steps of the property's threads, if they are a handful.
/// O(steps).
[[nodiscard]] std::vector<bool> essential_steps(const Trace& trace, const Property& property,
                                                const ToldSteps& steps, std::size_t enough);

} // namespace heddle
