// Which round of a barrier a thread passes.
#pragma once

#include "traces/recorder/recording.h"

#include <cstdint>
#include <optional>

namespace heddle::recorder {

void begin_barrier(std::uint32_t barrier, unsigned count) noexcept;
void end_barrier(std::uint32_t barrier) noexcept;
/// Records that the thread enters; its round, unless nobody told how many threads make one.
[[nodiscard]] std::optional<std::uint64_t> enter_barrier(ThreadState& state, ObjectKey barrier,
                                                         Address place) noexcept;
/// In the child of a fork.
void forget_barriers() noexcept;

} // namespace heddle::recorder
