// What a variable or a lock is: which heap block, or which call of a function, the memory belongs to. The
// trace tells the block of everything that is recorded, and where it was allocated; blocks that hold nothing
// recorded cost a few stores and are not in the trace.
//
// A heap block's description is in the table over memory: in the cell of the 8 bytes before the block, where
// the C library keeps a size and no program has a variable. When something in the block is recorded for the
// first time the block is *told*: its `alloc` record, which waits in the buffer of the thread that allocated
// it, becomes an event, or, when the buffer is gone, is written late (late_history.h).
//
// A function's frame is a block as well. Nothing is kept for it until something in it is recorded.
#pragma once

#include "traces/recorder/recording.h"

#include <cstddef>
#include <cstdint>

namespace heddle::recorder {

/// After the program allocated a block, and before it gives it back.
void block_allocated(ThreadState& state, Address block, std::size_t bytes, Address place) noexcept;
/// `state`: nothing if the thread is not recorded.
void block_freed(ThreadState* state, Address block, Address place) noexcept;

/// Puts a record into the buffer that says which block an object lies in, if that is known. Needs room for
/// one record.
void link_to_block(ThreadState& state, ObjectKind kind, std::uint32_t key, Address address) noexcept;

/// Whether the `alloc` record of a buffer that is written becomes an event; if not now, then perhaps late.
[[nodiscard]] bool is_told_now(const Record& record, std::uint32_t thread, std::uint64_t stamp) noexcept;

/// In the child of a fork.
void forget_blocks() noexcept;

} // namespace heddle::recorder
