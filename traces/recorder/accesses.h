// What every access callback does. Most accesses end in the few instructions of `access`: memory that the
// thread owns, touched before from the same place since its last synchronisation. Nothing there calls,
// allocates or locks. The others go on in access_granule.
#pragma once

#include "traces/recorder/ownership.h"
#include "traces/recorder/recording.h"
#include "traces/recorder/settings.h"

#include <algorithm>

namespace heddle::recorder {

/// Records a read of a variable that several threads read, if that can be done without a word to the others.
inline bool read_quietly(ThreadState& state, const Cell& cell, Address address, unsigned size,
                         std::uint64_t value, Address place) noexcept {
    Variable& variable = variables[Ownership(cell.state.load(std::memory_order_relaxed)).variable()];
    const Variable::Part part(static_cast<unsigned>(address & 7U), size);
    const Inside inside(state);
    make_room(state, 2);
    turn_to_record(state); // a new epoch would be after writes that come once it was looked
    if (!variable.may_be_read_quietly(part, value, state.stamp)) return false;
    put_stamp(state);
    put(state, {Record::head_of(EventKind::read, address, size) | Record::kHasValue,
                state.calls.node_of(place), cell.identity.load(std::memory_order_relaxed), value});
    return true;
}

/// An access within 8 aligned bytes.
template<EventKind kind>
inline void access_granule(ThreadState& state, Address address, unsigned size, Address place) noexcept {
    ++state.accesses_seen;
    const Settings& wanted = settings();
    if (wanted.full) return record_access(state, address, size, kind, place, false);
    Cell* cell = is_stack(state, address) ? touch(state, address) : shadow.cell(address);
    if (cell == nullptr) return;
    if (!Ownership(cell->state.load(std::memory_order_acquire)).recorded()) {
        if (access_owned(state, *cell, address, size, kind, place)) return;
        return record_access(state, address, size, kind, place, false);
    }
    __builtin_prefetch(&variables[Ownership(cell->state.load(std::memory_order_relaxed)).variable()]);
    const std::uint64_t key = EpochFilter::key_of(Record::head_of(kind, address, size), place, state.epoch);
    EpochFilter::Entry& entry = state.filter.entry(key);
    bool repeated = entry.key == key;
    std::uint64_t value = 0;
    if constexpr (kind == EventKind::read) {
        if (wanted.values) value = load_value(address, size);
        if (repeated && entry.value == value) return;
        repeated = false;
        entry = {key, value};
        if (wanted.values && read_quietly(state, *cell, address, size, value, place)) return;
    } else {
        if (repeated && !wanted.values) return;
        entry = {key, value};
    }
    record_access(state, address, size, kind, place, repeated);
}

template<EventKind kind>
[[gnu::noinline]] void access_any(Address address, std::size_t size, Address place) noexcept {
    ThreadState* state = this_thread();
    if (state == nullptr || state->muted != 0) return;
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
    if (state != nullptr && (state->muted | state->pending_count) == 0 && (address & 7U) + size <= 8)
        [[likely]] {
        Cell* cell = shadow.known_cell(address);
        const auto head = Record::head_of(kind, address, static_cast<unsigned>(size));
        if (cell != nullptr && is_remembered(*state, *cell, place, Record::what(head))) [[likely]] {
            ++state->accesses_seen;
            return;
        }
    }
    access_any<kind>(address, size, place);
}

} // namespace heddle::recorder
