// Where a thread took a lock that it holds.
#pragma once

#include "traces/trace.h"

#include <optional>

namespace heddle::report {

/// The last time before the event that its thread took the lock; nothing where that is very far back.
[[nodiscard]] std::optional<EventView> taken_before(const Trace& trace, LockId lock, const EventView& event);

} // namespace heddle::report
