// How locks are nested in each thread of a run. Acquisition histories (seed 001) are exact only for
// threads that release locks in the reverse order of acquiring them, so this is asked before they are.
//
// O(events × locks held at once). Expects a trace that keeps the rules (traces/rules.h).
#pragma once

#include "traces/trace.h"

#include <cstdint>
#include <vector>

namespace heddle {

struct ThreadNesting {
    std::uint32_t max_depth = 0; ///< most locks held at once, shared and exclusive alike
    EventId first_unnested; ///< first release of a lock that was not the last one acquired; may be invalid

    [[nodiscard]] bool nested() const { return !first_unnested.valid(); }
};

/// Indexed by thread.
[[nodiscard]] std::vector<ThreadNesting> lock_nesting(const Trace& trace);

} // namespace heddle
