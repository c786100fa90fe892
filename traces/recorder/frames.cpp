#include "traces/recorder/frames.h"

#include "traces/recorder/late_history.h"
#include "traces/recorder/recording.h"
#include "traces/recorder/stack_owners.h"

#include <algorithm>

namespace heddle::recorder {

namespace {

/// Below a frame lie the return address and the saved frame pointer of the callback that told of its call.
constexpr std::size_t kCallbackBytes = 2 * sizeof(Address);
constexpr std::size_t kMostBytes = 64U << 10U; ///< in which the end of a frame is looked for

/// Where a frame ends: behind the return address of its call, above the function's variables. 0: unknown.
Address end_of(const Frame& frame, Address stack_end) noexcept {
    const Address begin = frame.stack_pointer + kCallbackBytes;
    const Address limit = std::min(begin + kMostBytes, stack_end);
    for (Address at = begin; at + sizeof(Address) <= limit; at += sizeof(Address)) {
        if (load_value(at, sizeof(Address)) == frame.call_site + 1) return at + sizeof(Address);
    }
    return 0;
}

/// `teller` is the thread that asks, `owner` the one whose stack it is: it may run, but not leave the call.
std::uint32_t tell(ThreadState& teller, const ThreadState& owner, Frame& frame, Address address) noexcept {
    if (owner.calls.is_base(frame)) return 0;
    const Address begin = frame.stack_pointer + kCallbackBytes;
    const Address end = end_of(frame, owner.stack_low + owner.stack_bytes);
    if (address < begin || address >= end) return 0;
    const std::atomic_ref<std::uint32_t> block(frame.block);
    std::uint32_t known = block.load(std::memory_order_acquire);
    if (known != 0) return known;
    const std::uint32_t fresh = new_identity(teller);
    if (!block.compare_exchange_strong(known, fresh)) return known;
    add_late_alloc({.block = begin,
                    .size = end - begin,
                    .identity = fresh,
                    .thread = owner.thread,
                    .stamp = owner.begin_stamp,
                    .stack = owner.calls.entry_of(frame),
                    .is_frame = true});
    return fresh;
}

} // namespace

std::uint32_t tell_frame(ThreadState& state, Address address) noexcept {
    if (on_own_stack(state, address)) return tell(state, state, *state.calls.frame_of(address), address);
    ThreadState* owner = stack_owners.owner(address);
    return owner == nullptr ? 0 : tell(state, *owner, *owner->calls.lasting_frame_of(address), address);
}

} // namespace heddle::recorder
