// Locks that were tried: acquired by a thread that would have given up, at once or after a time, had the lock
// been taken. It never waits for ever, so that no deadlock is made of its request; what it then holds, others
// wait for.
#pragma once

#include "traces/event.h"

#include <cstdint>

namespace heddle {

/// The value of such an acquisition; others have none.
inline constexpr std::uint64_t kTried = 1;

[[nodiscard]] constexpr bool may_be_tried(EventKind kind) {
    return kind == EventKind::acquire || kind == EventKind::acquire_shared;
}
[[nodiscard]] inline bool was_tried(const EventView& event) {
    return may_be_tried(event.kind()) && event.has_value() && event.raw_value() == kTried;
}

} // namespace heddle
