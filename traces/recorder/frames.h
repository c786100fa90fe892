// Blocks of stack memory: the frame of one call of a function.
#pragma once

#include "traces/recorder/thread_state.h"

#include <cstdint>

namespace heddle::recorder {

/// The identity of the frame that an address lies in, on this thread's stack or another's; from now on the
/// trace tells of it. 0: it is no stack memory, or not of a function that is instrumented.
[[nodiscard]] std::uint32_t tell_frame(ThreadState& state, Address address) noexcept;

} // namespace heddle::recorder
