// Histories of memory that turned out to be shared, on their way into the file. Their events are older than
// what was already written; they go into history chunks (docs/trace-format.md).
#pragma once

#include "traces/recorder/history.h"

#include <cstdint>
#include <vector>

namespace heddle::recorder {

struct LateEvent {
    std::uint64_t stamp;
    Address address; ///< of the granule
    std::uint32_t identity;
    std::uint32_t thread;
    StackNode stack;
    std::uint32_t what;
};

/// Takes a history. To be written before any event of the thread that made the memory shared.
void add_late_history(std::uint32_t identity, Address granule, const HistoryBits& bits,
                      StepNumber past) noexcept;

/// Hands out what was added since the last call, sorted by stamp and, for each variable, in order.
[[nodiscard]] std::vector<LateEvent> take_late_history();
/// A look without a lock.
[[nodiscard]] std::size_t late_history_size() noexcept;

/// In the child of a fork.
void forget_late_history() noexcept;

} // namespace heddle::recorder
