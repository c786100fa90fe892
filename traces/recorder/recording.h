// The heart of the recorder: turns what a thread does into records in its buffer.
//
// Order. Every synchronisation event has a new stamp (stamps.h), taken while the outcome of the operation is
// settled: after acquiring, before releasing. Locks and atomic variables pass stamps on from thread to
// thread; all else takes one from the counter of the process. Accesses share the stamp of the thread's last
// synchronisation, so that they cost no traffic between cores. When two threads race on a variable, the later
// one takes a new stamp (order_after), so that the trace keeps their order as well.
//
// Thread rule: everything here is called by the thread whose state it is given.
#pragma once

#include "traces/recorder/cell_state.h"
#include "traces/recorder/flushing.h"
#include "traces/recorder/stack_owners.h"
#include "traces/recorder/thread_state.h"

#include <cstdint>
#include <optional>

namespace heddle::recorder {

/// Keys of objects are identities with one bit more: two small objects may share a granule.
inline constexpr std::uint32_t kMaxIdentity = 1U << 31U;

/// Reserves the tables. False: no address space for them.
[[nodiscard]] bool start_recording_tables() noexcept;

// --- accesses -----------------------------------------------------------------------------------------

/// An access of at most 8 bytes within one granule, which the filter did not drop.
void record_access(ThreadState& state, Cell& cell, Address address, unsigned size, EventKind kind,
                   Address place, bool repeated) noexcept;
/// Takes the values of writes whose callbacks came before them. Before any other callback is looked at.
void resolve_pending(ThreadState& state) noexcept;
/// The same without a look at them.
void drop_pending(ThreadState& state) noexcept;
/// A signal came in between: the memory that was about to be written may not be there, or not be written yet.
inline void distrust_pending(ThreadState& state) noexcept {
    for (std::uint32_t i = 0; i < state.pending_count; ++i) state.pending[i].lost = true;
}

[[nodiscard]] inline std::uint64_t load_value(Address address, unsigned size) noexcept {
    std::uint64_t value = 0;
    switch (size) {
    case 1: return *reinterpret_cast<const volatile std::uint8_t*>(address);
    case 2: return *reinterpret_cast<const volatile std::uint16_t*>(address);
    case 4: return *reinterpret_cast<const volatile std::uint32_t*>(address);
    case 8: return *reinterpret_cast<const volatile std::uint64_t*>(address);
    default:
        for (unsigned byte = 0; byte < size; ++byte)
            value |= std::uint64_t{*reinterpret_cast<const volatile std::uint8_t*>(address + byte)}
                     << (8 * byte);
        return value;
    }
}

// --- synchronisation ----------------------------------------------------------------------------------

/// What an event refers to: the object's number and, for people, where it lies.
struct ObjectKey {
    std::uint32_t number = 0;
    Address address = 0;

    ObjectKey() = default;
    ObjectKey(std::uint32_t object_number, Address object_address = 0) noexcept
        : number(object_number), address(object_address) {}
    operator std::uint32_t() const noexcept { return number; }
};

/// Which object lies at an address: its identity lasts as long as that of its memory.
[[nodiscard]] ObjectKey object_key(ThreadState& state, Address object) noexcept;
/// What lies there from now on is something else: it was destroyed, or initialised.
void renew_object(Address object, std::size_t bytes) noexcept;

/// An event with a stamp of its own.
void record_synchronisation(ThreadState& state, EventKind kind, ObjectKey target, Address place,
                            std::optional<std::uint64_t> value = std::nullopt,
                            MemoryOrder order = MemoryOrder::none) noexcept;

// --- for atomics.h and blocks.h -----------------------------------------------------------------------

/// Room for `records` more without a flush in between.
inline void make_room(ThreadState& state, std::size_t records) noexcept {
    if (state.position.load(std::memory_order_relaxed) + records > state.limit) [[unlikely]]
        flush_own(state);
}

inline void begin_epoch(ThreadState& state, std::uint64_t stamp) noexcept {
    state.stamp = stamp;
    state.turn = state.open_turn = 0;
    state.kept_back = state.remembered = false;
}
/// What comes is after everything in the thread's epoch so far; without a turn left, in a new epoch.
void next_turn(ThreadState& state) noexcept;
/// Before an event is recorded directly: it must not share a turn with what may become history before it.
inline void turn_to_record(ThreadState& state) noexcept {
    if (state.kept_back || state.remembered) next_turn(state);
}

extern std::atomic<std::uint64_t> stamp_counter;
/// Stamps from here on are not in the trace: the recording ends.
extern std::atomic<std::uint64_t> stamp_floor;

/// A stamp after everything that happened so far. The event that it is for must be in the buffer before
/// `busy` is taken back.
inline void take_stamp(ThreadState& state) noexcept {
    state.busy.store(true, std::memory_order_relaxed);
    begin_epoch(state, stamp_counter.fetch_add(kEra) + kEra);
}
/// A stamp after all that the thread did and after `other`. The same holds for the event. Whoever ends the
/// recording sees that the thread is busy, or the thread sees the end (fence_all_threads).
inline void take_stamp_after(ThreadState& state, std::uint64_t other) noexcept {
    state.busy.store(true, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    const std::optional<std::uint64_t> next = epoch_after(state.stamp, other);
    if (next && *next > stamp_floor.load(std::memory_order_acquire)) [[likely]]
        return begin_epoch(state, *next);
    take_stamp(state);
}

inline void put(ThreadState& state, const Record& record) noexcept {
    Record* position = state.position.load(std::memory_order_relaxed);
    *position = record;
    state.position.store(position + 1, std::memory_order_release);
}

/// Tells the stamp of what follows, if it changed. `seen`: by a read-modify-write, which has
/// its own stamp.
inline void put_present_stamp(ThreadState& state, std::uint64_t seen = 0) noexcept {
    const std::uint64_t stamp = state.stamp + state.turn;
    if (state.stamp_in_buffer == stamp) return;
    put(state, {.head = std::uint64_t{Record::kStamp} << 48U,
                .stack = static_cast<std::uint32_t>(seen),
                .target = static_cast<std::uint32_t>(seen >> 32U),
                .value = stamp});
    state.stamp_in_buffer = stamp;
}
/// The stamp of what is recorded directly.
inline void put_stamp(ThreadState& state, std::uint64_t seen = 0) noexcept {
    turn_to_record(state);
    // Without a turn left, what becomes history keeps its first position rather than take a new epoch each
    // time.
    state.open_turn = state.turn == kLastTurn ? 0 : state.turn;
    put_present_stamp(state, seen);
}
/// The stamp of what waits in the buffer, and may become history. It gets its place when the buffer is
/// written, so a turn has none from the history as well.
inline void put_kept_stamp(ThreadState& state) noexcept {
    if (state.remembered) next_turn(state);
    put_present_stamp(state);
    state.kept_back = true;
}

/// The cell no longer tells what the variable holds. Before a write of it takes its stamp; the variable's
/// lock is held.
inline void stop_telling(Cell& cell) noexcept {
    std::uint64_t before = cell.state.load(std::memory_order_relaxed);
    if (Ownership(before).tells())
        cell.state.compare_exchange_strong(before,
                                           Ownership::recorded_as(Ownership(before).variable()).bits());
}

/// The variable was accessed at the thread's stamp. Its lock is held. `changes`: the variable, or what is
/// known of it. `quietly`: others may go on to read it without the lock, which is not for atomic operations:
/// each of them is told.
inline void mark_access(ThreadState& state, Variable& variable, bool changes, bool quietly) noexcept {
    const bool again = variable.last_thread == state.thread && variable.last_stamp == state.stamp;
    if (variable.last_stamp != state.stamp) {
        variable.tied = false;
    } else if (variable.last_thread != state.thread) {
        variable.tied = true;
    }
    if (changes) {
        variable.read_shared.store(false, std::memory_order_relaxed);
    } else if (quietly && !variable.last_changed && variable.last_thread != state.thread) {
        variable.read_shared.store(true, std::memory_order_relaxed);
    }
    variable.last_changed = changes || (again && variable.last_changed);
    variable.last_thread = state.thread;
    variable.last_stamp = state.stamp;
    ++variable.version;
}

/// A number that nothing else in the trace has.
[[nodiscard]] std::uint32_t new_identity(ThreadState& state) noexcept;

extern Variable* variables;

/// Of this thread or another.
[[nodiscard]] inline bool is_stack(const ThreadState& state, Address address) noexcept {
    return on_own_stack(state, address) || stack_owners.owner(address) != nullptr;
}

/// A quick look: stack memory has the call that it belongs to as its past, or a past that began with it.
[[nodiscard]] inline bool is_no_stack(const Cell& cell) noexcept {
    return cell.past.load(std::memory_order_relaxed) == 0;
}

/// The cell of an address, with an identity.
[[nodiscard]] Cell* touch_first(ThreadState& state, Address address) noexcept;
[[nodiscard]] inline Cell* touch(ThreadState& state, Address address) noexcept {
    Cell* cell = shadow.known_cell(address);
    if (cell != nullptr && cell->identity.load(std::memory_order_acquire) != 0 &&
        (is_no_stack(*cell) || !is_stack(state, address))) [[likely]]
        return cell;
    return touch_first(state, address);
}
/// The variable of a granule, which is recorded from now on. If a thread owned it, what it did is written.
[[nodiscard]] Variable* variable_of(ThreadState& state, Cell& cell, Address address) noexcept;
/// The same; the buffer then says which block it lies in. Needs room for one record.
[[nodiscard]] Variable* link_variable_of(ThreadState& state, Cell& cell, Address address) noexcept;
[[nodiscard]] inline Variable* linked_variable_of(ThreadState& state, Cell& cell, Address address) noexcept {
    const Ownership ownership(cell.state.load(std::memory_order_acquire));
    if (ownership.recorded()) [[likely]] {
        Variable& variable = variables[ownership.variable()];
        if (variable.linked.load(std::memory_order_relaxed)) [[likely]]
            return &variable;
    }
    return link_variable_of(state, cell, address);
}

/// The last epoch that anybody can have.
[[nodiscard]] std::uint64_t current_stamp() noexcept;
/// A stamp that belongs to no event: no earlier event has it or a larger one.
[[nodiscard]] std::uint64_t next_stamp() noexcept;
/// From now on threads take no stamp up to `floor`, but for those that are busy with one.
void raise_stamp_floor(std::uint64_t floor) noexcept;

} // namespace heddle::recorder
