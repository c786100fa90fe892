// The part of a run within which a schedule is looked for.
#pragma once

#include "traces/id.h"

#include <cstdint>
#include <vector>

namespace heddle {

struct Window {
    EventId base{0U}; ///< all events before it are taken, as recorded
    /// By thread: how many of its events, from its first on, a schedule may take. At least those before
    /// `base`.
    std::vector<std::uint32_t> ends;
    /// Whether a property that no schedule of the window reaches, whatever memory holds at `base`, is reached
    /// by no schedule of the run.
    bool complete = false;
};

} // namespace heddle
