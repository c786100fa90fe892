// An event as it waits in a thread's buffer: 24 bytes, written by the thread alone. What it refers to is
// named by process-wide numbers; chunk_maker.h turns records into the dictionaries and columns of a chunk.
#pragma once

#include "traces/event.h"
#include "traces/recorder/call_tree.h"
#include "traces/recorder/shadow.h"

#include <cstdint>

namespace heddle::recorder {

struct Record {
    std::uint64_t head;
    StackNode stack;
    std::uint32_t target; ///< identity of the variable or key of the object
    std::uint64_t value;

    // Three kinds are not events.
    static constexpr unsigned kFirstOther = 60;
    static constexpr unsigned kLink = 60; ///< an object (`stack`: its kind) lies in the block `value`
    static constexpr unsigned kNothing = 61;
    /// value: the stamp from here on; target and stack: what a read-modify-write that follows saw
    static constexpr unsigned kStamp = 62;

    /// In the value of an alloc, which is the block's size: it is a function's frame.
    static constexpr std::uint64_t kFrame = std::uint64_t{1} << 63U;

    static constexpr std::uint64_t kAddressMask = (std::uint64_t{1} << 48U) - 1;
    static constexpr std::uint64_t kHasValue = std::uint64_t{1} << 60U;
    static constexpr std::uint64_t kHasStamp = std::uint64_t{1} << 61U; ///< the value is the event's stamp

    static constexpr std::uint64_t kOwned = std::uint64_t{1} << 62U; ///< of memory that the thread owned
    /// Of a plain read: what it saw is what the trace says that the variable held.
    static constexpr std::uint64_t kTold = std::uint64_t{1} << 63U;

    /// The head without the granule's address and what concerns only the buffer.
    [[nodiscard]] static constexpr std::uint32_t what(std::uint64_t head) {
        return static_cast<std::uint32_t>((head & ~kOwned) >> 48U) << 3U |
               static_cast<std::uint32_t>(head & 7U);
    }
    [[nodiscard]] static constexpr std::uint64_t head_of(std::uint32_t what, Address granule) {
        return std::uint64_t{what >> 3U} << 48U | granule | (what & 7U);
    }
    [[nodiscard]] static constexpr std::uint64_t head_of(EventKind kind, Address address, unsigned size = 8,
                                                         MemoryOrder order = MemoryOrder::none) {
        return (address & kAddressMask) | std::uint64_t(kind) << 48U | std::uint64_t(order) << 54U |
               std::uint64_t(size - 1) << 57U;
    }

    [[nodiscard]] unsigned raw_kind() const { return static_cast<unsigned>(head >> 48U) & 63U; }
    [[nodiscard]] EventKind kind() const { return static_cast<EventKind>(raw_kind()); }
    [[nodiscard]] MemoryOrder order() const { return static_cast<MemoryOrder>(head >> 54U & 7U); }
    [[nodiscard]] Address address() const { return head & kAddressMask; }
    [[nodiscard]] bool has_value() const { return (head & kHasValue) != 0; }
    [[nodiscard]] bool is_owned() const { return (head & kOwned) != 0; }
    [[nodiscard]] bool is_told() const { return (head & kTold) != 0; }
    [[nodiscard]] bool has_stamp() const { return (head & kHasStamp) != 0; }
    [[nodiscard]] ByteRange bytes() const {
        return {static_cast<std::uint8_t>(head & 7U), static_cast<std::uint8_t>((head >> 57U & 7U) + 1)};
    }
};
static_assert(sizeof(Record) == 24);

} // namespace heddle::recorder
