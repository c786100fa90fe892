// Which notify ended which wait. The C library does not tell; every notify gets a ticket for as many waits as
// it can end, and a wait that ends without a time-out takes the oldest ticket that was given after it began.
// A wait that finds none woke up on its own. A notify while nobody waits ends nothing and has no ticket.
#pragma once

#include "traces/recorder/recording.h"

#include <cstdint>
#include <optional>

namespace heddle::recorder {

/// A wait that has begun.
struct Wait {
    ObjectKey condition;
    std::uint64_t began; ///< tickets after this one can end it
};

/// Records the beginning.
[[nodiscard]] Wait begin_wait(ThreadState& state, ObjectKey condition, Address place) noexcept;
/// Which ticket ended the wait; nothing if it timed out or no notify did.
[[nodiscard]] std::optional<std::uint64_t> end_wait(const Wait& wait, bool timed_out) noexcept;
/// Records a notify. To be followed by the real one.
void notify(ThreadState& state, ObjectKey condition, bool all, Address place) noexcept;

/// In the child of a fork.
void forget_waits() noexcept;

} // namespace heddle::recorder
