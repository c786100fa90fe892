// Histories of memory that turned out to be shared, on their way into the file. Their events are older than
// what was already written; they go into history chunks (docs/trace-format.md).
#pragma once

#include "traces/recorder/history.h"

#include <cstdint>
#include <vector>

namespace heddle::recorder {

struct LateEvent {
    std::uint64_t stamp; ///< with its position in the epoch
    Address address;     ///< of the granule or block
    std::uint32_t identity;
    std::uint32_t thread;
    StackNode stack;
    std::uint32_t what;
    std::uint64_t size = 0; ///< of a block; see Record::kFrame
};

/// The allocation of a block that nothing recorded lay in when its thread's buffer was written.
struct LateAlloc {
    Address block;
    std::uint64_t size;
    std::uint32_t identity;
    std::uint32_t thread;
    std::uint64_t stamp;
    StackNode stack;
    bool is_frame = false;
};

/// Takes a history. To be written before any event of the thread that made the memory shared. `bits`: of the
/// last page, which may have become a part of the past meanwhile.
void add_late_history(std::uint32_t identity, Address granule, const HistoryBits& bits,
                      std::uint32_t past) noexcept;

void add_late_alloc(const LateAlloc& alloc) noexcept;

/// Hands out what was added since the last call, sorted by stamp, allocations first, and for each variable in
/// order.
[[nodiscard]] std::vector<LateEvent> take_late_history();
/// A look without a lock.
[[nodiscard]] std::size_t late_history_size() noexcept;

/// In the child of a fork.
void forget_late_history() noexcept;

} // namespace heddle::recorder
