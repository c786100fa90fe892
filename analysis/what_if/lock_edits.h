// What a change does to the lock events of the recorded threads: which come in, which go out.
#pragma once

#include "analysis/what_if/change.h"
#include "traces/result.h"
#include "traces/trace.h"

#include <cstdint>
#include <vector>

namespace heddle {

enum class LockEditKind : std::uint8_t { acquire_before, drop, release_after };

struct LockEdit {
    EventId event;
    LockEditKind kind = LockEditKind::drop;
    LockId lock; ///< of what comes in
};

/// By event; in the order in which the thread makes them. O(events of the threads concerned × locks of the
/// change held at once). An error is as in changed_run.h.
[[nodiscard]] Result<std::vector<LockEdit>> lock_edits(const Trace& trace, const Change& change);

} // namespace heddle
