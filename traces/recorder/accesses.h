// What every access callback does. Most accesses end in the few instructions of `access`: memory that the
// thread owns, touched before from the same place since its last synchronisation. Nothing there calls,
// allocates or locks. Those of variables that are recorded go on in access_recorded, the others in
// access_granule.
#pragma once

#include "traces/recorder/ownership.h"
#include "traces/recorder/recording.h"
#include "traces/recorder/replay.h"
#include "traces/recorder/settings.h"

#include <algorithm>

namespace heddle::recorder {

/// Whether the cell says that a thread with this stamp reads `value`. Others may change it meanwhile: what it
/// said last counts.
[[nodiscard]] inline bool cell_tells(const Cell& cell, Variable::Part part, std::uint64_t value,
                                     std::uint64_t stamp) noexcept {
    const std::uint64_t before = cell.state.load(std::memory_order_acquire);
    if (!Ownership(before).tells(stamp)) return false;
    const std::uint64_t held = cell.high_bits.load(std::memory_order_acquire);
    return ((held >> part.shift) & part.ones) == value &&
           cell.state.load(std::memory_order_relaxed) == before;
}

/// Records a read of a variable that several threads read, or that this one accessed last, if that can be done
/// without a word to the others.
[[gnu::always_inline]] inline bool read_quietly(ThreadState& state, const Cell& cell, Variable& variable,
                                                Address address, unsigned size, std::uint64_t value,
                                                Address place) noexcept {
    const Variable::Part part(static_cast<unsigned>(address & 7U), size);
    const Inside inside(state);
    make_room(state, 2);
    turn_to_record(state); // a new epoch would be after writes that come once it was looked
    if (!cell_tells(cell, part, value, state.stamp) &&
        !variable.may_be_read_quietly(part, value, state.thread, state.stamp))
        return false;
    put_stamp(state);
    put(state, {Record::head_of(EventKind::read, address, size) | Record::kHasValue | Record::kTold,
                state.calls.node_of(place), cell.identity.load(std::memory_order_relaxed), value});
    return true;
}

/// An access of a recorded variable. `value`: what a read sees.
template<EventKind kind>
[[gnu::noinline]] void access_recorded(ThreadState& state, Cell& cell, Address address, unsigned size,
                                       std::uint64_t value, Address place) noexcept {
    ++state.accesses_seen;
    const Settings& wanted = settings();
    if (wanted.full) return record_access(state, cell, address, size, kind, place, false);
    const Ownership ownership(cell.state.load(std::memory_order_relaxed));
    Variable& variable = variables[ownership.variable()];
    if (kind == EventKind::write || !ownership.tells()) __builtin_prefetch(&variable);
    const std::uint64_t key = state.filter.key_of(Record::head_of(kind, address, size), place);
    EpochFilter::Entry& entry = state.filter.entry(key);
    const bool repeated = entry.key == key;
    if constexpr (kind == EventKind::read) {
        if (!wanted.values) value = 0;
        if (repeated && entry.value == value) return;
        state.filter.set(entry, key, value);
        if (wanted.values && read_quietly(state, cell, variable, address, size, value, place)) return;
        record_access(state, cell, address, size, kind, place, false);
    } else {
        if (repeated && !wanted.values) return;
        if (!repeated) state.filter.set(entry, key, 0);
        record_access(state, cell, address, size, kind, place, repeated);
    }
}

/// An access within 8 aligned bytes.
template<EventKind kind>
inline void access_granule(ThreadState& state, Address address, unsigned size, Address place) noexcept {
    Cell* cell = shadow.cell(address);
    if (cell == nullptr) return;
    if (is_remembered(state, *cell, place, Record::what(Record::head_of(kind, address, size)))) {
        ++state.accesses_seen;
        return;
    }
    if (settings().full || is_stack(state, address)) cell = touch(state, address);
    if (Ownership(cell->state.load(std::memory_order_acquire)).recorded()) {
        const std::uint64_t value = kind == EventKind::read ? load_value(address, size) : 0;
        return access_recorded<kind>(state, *cell, address, size, value, place);
    }
    ++state.accesses_seen;
    if (!settings().full && access_owned(state, *cell, address, size, kind, place)) return;
    record_access(state, *touch(state, address), address, size, kind, place, false);
}

template<EventKind kind>
[[gnu::noinline]] void access_any(Address address, std::size_t size, Address place) noexcept {
    ThreadState* state = this_thread();
    if (state == nullptr || !state->records_accesses())
        return replay::access(state, kind, address, size, place);
    if (state->pending_count != 0) resolve_pending(*state);
    for (const Address end = address + size; address < end;) {
        const std::size_t part = std::min<std::size_t>(8 - (address & 7U), end - address);
        access_granule<kind>(*state, address, static_cast<unsigned>(part), place);
        address += part;
    }
}

template<EventKind kind>
[[gnu::always_inline]] inline void access(Address address, std::size_t size, Address place) noexcept {
    ThreadState* state = current_state;
    if (state != nullptr && state->is_idle() && size != 0 && (address & 7U) + size <= 8) [[likely]] {
        const auto bytes = static_cast<unsigned>(size);
        if (Cell* cell = shadow.known_cell(address); cell != nullptr) [[likely]] {
            const auto head = Record::head_of(kind, address, bytes);
            if (is_remembered(*state, *cell, place, Record::what(head))) [[likely]] {
                ++state->accesses_seen;
                return;
            }
            if (Ownership(cell->state.load(std::memory_order_acquire)).recorded() && is_no_stack(*cell)) {
                const std::uint64_t value = kind == EventKind::read ? load_value(address, bytes) : 0;
                return access_recorded<kind>(*state, *cell, address, bytes, value, place);
            }
        }
    }
    access_any<kind>(address, size, place);
}

} // namespace heddle::recorder
