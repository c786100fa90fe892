// A schedule that leads to a property, as it is searched, checked, shown and replayed. docs/algorithms.md,
// "Witnesses", says when a schedule is a witness.
#pragma once

#include "traces/id.h"

#include <vector>

namespace heddle {

/// The run as recorded up to an event, then other steps. The steps leave out what the violation does not
/// need: threads, and how a thread went on.
struct Schedule {
    EventId base{0U};           ///< all events before it are taken, as recorded
    std::vector<EventId> steps; ///< then these, none of which is before `base`

    bool operator==(const Schedule&) const = default;
};

} // namespace heddle
