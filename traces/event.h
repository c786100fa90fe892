// What a thread did, one step at a time: the kinds of event, what each refers to, and the packed form
// in which a trace keeps them (20 bytes; the per-thread index adds 4).
//
// Value conventions, for events that carry a value:
//   reads, writes, atomic loads/stores   the bytes accessed, zero-extended
//   atomic_rmw                           the value written; the value read stands beside it
//   notify, notify_all, wait_post        the ticket that matches a wake-up with the notify that caused it
//   barrier_enter, barrier_leave         the round of the barrier
//   sem_init                             the initial count
#pragma once

#include "traces/id.h"

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace heddle {

/// What the target of an event is. Each kind has a table of its own in the trace.
enum class ObjectKind : std::uint8_t {
    thread,
    lock,
    variable,
    condition,
    barrier,
    semaphore,
    once,
    block,
    tag,
};
inline constexpr std::size_t kObjectKinds = 9;
inline constexpr std::array<std::string_view, kObjectKinds> kObjectKindNames = {
    "thread", "lock", "variable", "condition", "barrier", "semaphore", "once", "block", "tag"};

// The numbers are part of the .htr format: append, never renumber.
enum class EventKind : std::uint8_t {
    read = 0,
    write = 1,
    atomic_load = 2,
    atomic_store = 3,
    atomic_rmw = 4,
    fence = 5,
    acquire = 6,
    release = 7,
    acquire_shared = 8,
    release_shared = 9,
    fork = 10,
    thread_begin = 11,
    thread_end = 12,
    join = 13,
    wait_pre = 14,
    wait_post = 15,
    notify = 16,
    notify_all = 17,
    barrier_enter = 18,
    barrier_leave = 19,
    sem_init = 20,
    sem_post = 21,
    sem_wait = 22,
    once_begin = 23,
    once_end = 24,
    once_seen = 25,
    alloc = 26,
    free = 27,
    txn_begin = 28,
    txn_end = 29,
    happens_before = 30,
    happens_after = 31,
};
inline constexpr std::size_t kEventKinds = 32;

/// C++ memory orders; `none` for events that are not atomic.
enum class MemoryOrder : std::uint8_t { none = 0, relaxed, consume, acquire, release, acq_rel, seq_cst };
inline constexpr std::size_t kMemoryOrders = 7;
inline constexpr std::array<std::string_view, kMemoryOrders> kMemoryOrderNames = {
    "", "relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};

/// What holds for all events of a kind. `text` is the operation's name in the text notation.
struct KindTraits {
    std::string_view text;
    std::string_view label;           ///< for people
    std::optional<ObjectKind> target; ///< nothing: the event has no target
    bool target_optional = false;
    bool atomic = false; ///< carries a memory order
    bool may_carry_value = false;
};

inline constexpr std::array<KindTraits, kEventKinds> kKindTraits = {{
    {"r", "read", ObjectKind::variable, false, false, true},
    {"w", "write", ObjectKind::variable, false, false, true},
    {"atomic_load", "atomic load", ObjectKind::variable, false, true, true},
    {"atomic_store", "atomic store", ObjectKind::variable, false, true, true},
    {"atomic_rmw", "atomic read-modify-write", ObjectKind::variable, false, true, true},
    {"fence", "fence", std::nullopt, false, true},
    {"acq", "acquire", ObjectKind::lock},
    {"rel", "release", ObjectKind::lock},
    {"acq_shared", "acquire shared", ObjectKind::lock},
    {"rel_shared", "release shared", ObjectKind::lock},
    {"fork", "fork", ObjectKind::thread},
    {"thread_begin", "thread begin", std::nullopt},
    {"thread_end", "thread end", std::nullopt},
    {"join", "join", ObjectKind::thread},
    {"wait_pre", "wait begin", ObjectKind::condition},
    {"wait_post", "wait end", ObjectKind::condition, false, false, true},
    {"notify", "notify", ObjectKind::condition, false, false, true},
    {"notify_all", "notify all", ObjectKind::condition, false, false, true},
    {"barrier_enter", "barrier enter", ObjectKind::barrier, false, false, true},
    {"barrier_leave", "barrier leave", ObjectKind::barrier, false, false, true},
    {"sem_init", "semaphore init", ObjectKind::semaphore, false, false, true},
    {"sem_post", "semaphore post", ObjectKind::semaphore},
    {"sem_wait", "semaphore wait", ObjectKind::semaphore},
    {"once_begin", "once begin", ObjectKind::once},
    {"once_end", "once end", ObjectKind::once},
    {"once_seen", "once seen", ObjectKind::once},
    {"alloc", "alloc", ObjectKind::block},
    {"free", "free", ObjectKind::block},
    {"begin", "transaction begin", ObjectKind::tag, true},
    {"end", "transaction end", ObjectKind::tag, true},
    {"happens_before", "happens-before mark", ObjectKind::tag},
    {"happens_after", "happens-after mark", ObjectKind::tag},
}};

[[nodiscard]] constexpr const KindTraits& traits(EventKind kind) {
    return kKindTraits[static_cast<std::size_t>(kind)];
}
[[nodiscard]] constexpr bool is_access(EventKind kind) {
    return kind <= EventKind::atomic_rmw;
}
[[nodiscard]] constexpr bool is_plain_access(EventKind kind) {
    return kind <= EventKind::write;
}
[[nodiscard]] constexpr bool reads_memory(EventKind kind) {
    return kind == EventKind::read || kind == EventKind::atomic_load || kind == EventKind::atomic_rmw;
}
[[nodiscard]] constexpr bool writes_memory(EventKind kind) {
    return kind == EventKind::write || kind == EventKind::atomic_store || kind == EventKind::atomic_rmw;
}

/// The bytes of a variable that an access touches. A variable is at most 8 bytes of memory; an access
/// that spans two of them is two events. Two accesses conflict only if their ranges overlap.
struct ByteRange {
    std::uint8_t offset = 0; ///< 0 to 7
    std::uint8_t size = 8;   ///< 1 to 8 - offset

    [[nodiscard]] constexpr bool valid() const { return size >= 1 && offset + size <= 8; }
    [[nodiscard]] constexpr bool whole() const { return offset == 0 && size == 8; }
    [[nodiscard]] constexpr bool overlaps(ByteRange other) const {
        return offset < other.offset + other.size && other.offset < offset + size;
    }
    constexpr bool operator==(const ByteRange&) const = default;
};

inline constexpr std::uint32_t kNoTarget = 0xFFFF'FFFF;

/// An event spelled out. What builders take and tests write.
struct Event {
    EventKind kind = EventKind::read;
    ThreadId thread;
    std::uint32_t target = kNoTarget; ///< index into the table of traits(kind).target
    StackId stack;
    MemoryOrder order = MemoryOrder::none;
    ByteRange bytes;
    std::optional<std::uint64_t> value;
    std::uint64_t value_read = 0; ///< of an atomic_rmw that carries a value

    bool operator==(const Event&) const = default;
};

/// Everything about an event but its target and value, in 64 bits.
class EventHead {
  public:
    static constexpr unsigned kStackBits = 27;
    static constexpr unsigned kThreadBits = 20;
    static constexpr std::uint32_t kMaxStacks = (1U << kStackBits) - 1; ///< all ones: no stack
    static constexpr std::uint32_t kMaxThreads = 1U << kThreadBits;

    constexpr EventHead() = default;
    /// `wide`: the value column holds an index into the trace's table of wide read-modify-writes.
    constexpr EventHead(EventKind kind, MemoryOrder order, ByteRange bytes, bool has_value, bool wide,
                        StackId stack)
        : bits_(static_cast<std::uint64_t>(kind) | static_cast<std::uint64_t>(order) << 6U |
                static_cast<std::uint64_t>(bytes.offset) << 9U |
                static_cast<std::uint64_t>(bytes.size - 1U) << 12U |
                static_cast<std::uint64_t>(has_value) << 15U | static_cast<std::uint64_t>(wide) << 16U |
                static_cast<std::uint64_t>(stack.valid() ? stack.value : kMaxStacks) << 37U) {}

    [[nodiscard]] constexpr EventHead with_thread(ThreadId thread) const {
        EventHead result = *this;
        result.bits_ = (bits_ & ~(std::uint64_t{kMaxThreads - 1} << 17U)) |
                       static_cast<std::uint64_t>(thread.value) << 17U;
        return result;
    }

    [[nodiscard]] constexpr EventKind kind() const { return static_cast<EventKind>(bits_ & 63U); }
    [[nodiscard]] constexpr MemoryOrder order() const { return static_cast<MemoryOrder>(bits_ >> 6U & 7U); }
    [[nodiscard]] constexpr ByteRange bytes() const {
        return {static_cast<std::uint8_t>(bits_ >> 9U & 7U),
                static_cast<std::uint8_t>((bits_ >> 12U & 7U) + 1U)};
    }
    [[nodiscard]] constexpr bool has_value() const { return (bits_ >> 15U & 1U) != 0; }
    [[nodiscard]] constexpr bool wide() const { return (bits_ >> 16U & 1U) != 0; }
    [[nodiscard]] constexpr ThreadId thread() const {
        return ThreadId{static_cast<std::uint32_t>(bits_ >> 17U) & (kMaxThreads - 1)};
    }
    [[nodiscard]] constexpr StackId stack() const {
        const auto index = static_cast<std::uint32_t>(bits_ >> 37U);
        return index == kMaxStacks ? StackId{} : StackId{index};
    }
    constexpr bool operator==(const EventHead&) const = default;

  private:
    std::uint64_t bits_ = 0;
};
static_assert(sizeof(EventHead) == 8);

/// One event as it lies in a trace: packed, with accessors. Made on the fly; pass it by value.
class EventView {
  public:
    EventView(EventId id, EventHead head, std::uint32_t target, std::uint64_t raw_value)
        : head_(head), raw_value_(raw_value), id_(id), target_(target) {}

    [[nodiscard]] EventId id() const { return id_; }
    [[nodiscard]] EventKind kind() const { return head_.kind(); }
    [[nodiscard]] MemoryOrder order() const { return head_.order(); }
    [[nodiscard]] ByteRange bytes() const { return head_.bytes(); }
    [[nodiscard]] ThreadId thread() const { return head_.thread(); }
    [[nodiscard]] StackId stack() const { return head_.stack(); }
    [[nodiscard]] EventHead head() const { return head_; }

    [[nodiscard]] std::uint32_t target() const { return target_; }
    [[nodiscard]] bool has_target() const { return target_ != kNoTarget; }
    [[nodiscard]] VarId variable() const { return target_as<VarId>(ObjectKind::variable); }
    [[nodiscard]] LockId lock() const { return target_as<LockId>(ObjectKind::lock); }
    /// The thread that a fork starts or a join awaits.
    [[nodiscard]] ThreadId other_thread() const { return target_as<ThreadId>(ObjectKind::thread); }
    [[nodiscard]] ConditionId condition() const { return target_as<ConditionId>(ObjectKind::condition); }
    [[nodiscard]] BarrierId barrier() const { return target_as<BarrierId>(ObjectKind::barrier); }
    [[nodiscard]] SemaphoreId semaphore() const { return target_as<SemaphoreId>(ObjectKind::semaphore); }
    [[nodiscard]] OnceId once() const { return target_as<OnceId>(ObjectKind::once); }
    [[nodiscard]] BlockId block() const { return target_as<BlockId>(ObjectKind::block); }
    [[nodiscard]] TagId tag() const { return target_as<TagId>(ObjectKind::tag); }

    [[nodiscard]] bool has_value() const { return head_.has_value(); }
    /// The value column as it is stored. For all but atomic_rmw this is the value; see Trace::value_of.
    [[nodiscard]] std::uint64_t raw_value() const { return raw_value_; }

  private:
    template<typename TargetId>
    [[nodiscard]] TargetId target_as([[maybe_unused]] ObjectKind expected) const {
        assert(traits(kind()).target == expected);
        return TargetId{target_};
    }

    EventHead head_;
    std::uint64_t raw_value_;
    EventId id_;
    std::uint32_t target_;
};

} // namespace heddle
