#include "traces/recorder/recording.h"

#include "traces/recorder/blocks.h"
#include "traces/recorder/flushing.h"
#include "traces/recorder/internal_memory.h"
#include "traces/recorder/late_history.h"
#include "traces/recorder/library_calls.h"
#include "traces/recorder/ownership.h"
#include "traces/recorder/raw_system_call.h"
#include "traces/recorder/settings.h"
#include "traces/recorder/stack_owners.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace heddle::recorder {

alignas(64) constinit std::atomic<std::uint64_t> stamp_counter{0};
alignas(64) constinit std::atomic<std::uint64_t> stamp_floor{0};
constinit Variable* variables = nullptr;

namespace {

constexpr std::uint32_t kMaxVariables = 1U << 30U;
constexpr std::uint32_t kIdentitiesAtOnce = 256;

alignas(64) constinit std::atomic<std::uint32_t> identity_counter{1};
/// Variables of the same 32 aligned bytes stand together in the table, in the order of their memory: what is
/// used together shares cache lines.
constexpr std::uint32_t kTogether = 4;
alignas(64) constinit std::atomic<std::uint32_t> variable_counter{kTogether};

/// A number that no memory has or had, beside those of the memory around it. 0: there are no more.
std::uint32_t new_variable(const Cell& cell, Address address) noexcept {
    const auto own = static_cast<std::uint32_t>(address >> kGranuleBits) % kTogether;
    const Cell* first = &cell - own;
    for (std::uint32_t other = 0; other < kTogether; ++other) {
        const Ownership ownership(first[other].state.load(std::memory_order_acquire));
        if (other == own || !ownership.recorded()) continue;
        const std::uint32_t number = ownership.variable() - other + own;
        if (!variables[number].taken.exchange(true)) return number;
    }
    if (variable_counter.load(std::memory_order_relaxed) >= kMaxVariables) return 0;
    const std::uint32_t fresh = variable_counter.fetch_add(kTogether, std::memory_order_relaxed) + own;
    if (fresh >= kMaxVariables) return 0;
    variables[fresh].taken.store(true);
    return fresh;
}

/// Gives the thread a stamp that is after the last conflicting access to the variable. `changes`: it writes
/// the variable, or is the first to tell what it holds; reads that leave this to it must come after it.
void order_after(ThreadState& state, Cell& cell, const Variable& variable, bool changes) noexcept {
    const bool unseen_reads = changes && variable.read_shared.load(std::memory_order_relaxed);
    if (unseen_reads) {
        stop_telling(cell);
    } else {
        if (variable.last_stamp < state.stamp) return;
        if (variable.last_thread == state.thread && !(changes && variable.tied)) return;
    }
    if (changes || variable.last_changed) {
        take_stamp(state);
        state.busy.store(false, std::memory_order_release);
    } else if (state.stamp != variable.last_stamp) {
        begin_epoch(state, variable.last_stamp);
    }
}

/// Lets the cell tell what the variable holds, if others read it as well. The variable's lock is held. A
/// former owner that only now sets a bit of its history spoils what the cell says; then readers look at the
/// variable.
void tell_in_cell(Cell& cell, const Variable& variable) noexcept {
    constexpr std::uint8_t kAllBytes = 0xFF;
    if (!variable.read_shared.load(std::memory_order_relaxed) || variable.known != kAllBytes ||
        !variable.past_told.load(std::memory_order_acquire) || !is_no_stack(cell))
        return;
    std::uint64_t before = cell.state.load(std::memory_order_relaxed);
    const Ownership ownership(before);
    // Else it is no longer the variable of this memory.
    if (!ownership.recorded() || variables + ownership.variable() != &variable) return;
    cell.high_bits.store(variable.content, std::memory_order_release);
    cell.state.compare_exchange_strong(before,
                                       Ownership::telling(ownership.variable(), variable.last_stamp).bits());
}

/// The last stamps with which locks were released, so that who acquires them next comes after. Locks that
/// share an entry are ordered more than they need be.
struct alignas(64) LockStamp {
    std::atomic<std::uint64_t> stamp{0};

    void raise(std::uint64_t to) noexcept {
        std::uint64_t known = stamp.load(std::memory_order_relaxed);
        while (known < to && !stamp.compare_exchange_weak(known, to, std::memory_order_release)) {
        }
    }
};
constinit std::array<LockStamp, 1024> lock_stamps;

/// Takes the stamp of an event at the object. A notify without a ticket ends no wait: nothing that others do
/// comes after it because of it, and whoever waits later takes a stamp from the counter.
void take_stamp_for(ThreadState& state, EventKind kind, std::uint32_t object, bool has_ticket) noexcept {
    LockStamp& lock = lock_stamps[(object ^ object >> 10U) % lock_stamps.size()];
    switch (kind) {
    case EventKind::acquire:
    case EventKind::acquire_shared:
        return take_stamp_after(state, lock.stamp.load(std::memory_order_acquire));
    case EventKind::release:
    case EventKind::release_shared: take_stamp_after(state, 0); return lock.raise(state.stamp);
    case EventKind::notify:
    case EventKind::notify_all: return has_ticket ? take_stamp(state) : take_stamp_after(state, 0);
    default: return take_stamp(state);
    }
}

/// Says which block an object lies in, when the thread has not said it lately.
void link_object(ThreadState& state, ObjectKind kind, ObjectKey object) noexcept {
    std::uint32_t& linked = state.linked_objects[object.number / 2 % ThreadState::kLinkedObjects];
    if (linked == object.number || kind == ObjectKind::block) [[likely]]
        return;
    linked = object.number;
    link_to_block(state, kind, object.number, object.address);
}

} // namespace

std::uint32_t new_identity(ThreadState& state) noexcept {
    if (state.next_identity == state.end_identity) {
        if (identity_counter.load(std::memory_order_relaxed) >= kMaxIdentity - kIdentitiesAtOnce) {
            stop_recording("more than two billion pieces of memory were seen");
            return 1;
        }
        state.next_identity = identity_counter.fetch_add(kIdentitiesAtOnce, std::memory_order_relaxed);
        state.end_identity = state.next_identity + kIdentitiesAtOnce;
    }
    return state.next_identity++;
}

bool start_recording_tables() noexcept {
    variables = static_cast<Variable*>(reserve(std::size_t{kMaxVariables} * sizeof(Variable)));
    return variables != nullptr && call_tree.start() && history.start() && shared_identities.start() &&
           told_addresses.start();
}

std::uint64_t current_stamp() noexcept {
    return stamp_counter.load() + kEra - kEpoch;
}
std::uint64_t next_stamp() noexcept {
    return stamp_counter.fetch_add(kEra) + kEra;
}
void raise_stamp_floor(std::uint64_t floor) noexcept {
    stamp_floor.store(floor);
    fence_all_threads();
}

void next_turn(ThreadState& state) noexcept {
    if (state.turn == kLastTurn) {
        take_stamp_after(state, 0);
        return state.busy.store(false, std::memory_order_release);
    }
    state.turn += kTurn;
    state.kept_back = state.remembered = false;
}

Cell* touch_first(ThreadState& state, Address address) noexcept {
    Cell* cell = shadow.cell(address);
    if (cell == nullptr) return nullptr;
    std::uint32_t identity = cell->identity.load(std::memory_order_acquire);
    ThreadState* owner = on_own_stack(state, address) ? &state : stack_owners.owner(address);
    if (owner != nullptr) {
        const CallNumber known = history.call_of(cell->past.load(std::memory_order_relaxed));
        const bool own = owner == &state;
        const CallNumber call = own ? state.calls.call_of(address)
                                    : CallStack::number_of(*owner->calls.lasting_frame_of(address));
        if (identity != 0 && known != call && (own || !owner->calls.is_lasting(known))) {
            // The function that this memory belonged to has returned.
            cell->state.store(0, std::memory_order_relaxed);
            cell->high_bits.store(0, std::memory_order_relaxed);
            identity = 0;
            cell->identity.store(0, std::memory_order_relaxed);
        }
        if (identity == 0) cell->past.store(call, std::memory_order_relaxed);
    }
    if (identity == 0) {
        shadow.take_memory_around(cell, address);
        const std::uint32_t fresh = new_identity(state);
        cell->identity.compare_exchange_strong(identity, fresh, std::memory_order_acq_rel);
    }
    return cell;
}

Variable* variable_of(ThreadState& state, Cell& cell, Address address) noexcept {
    std::uint64_t before = cell.state.load(std::memory_order_acquire);
    if (Ownership(before).recorded()) return variables + Ownership(before).variable();
    const std::uint32_t fresh = new_variable(cell, address);
    if (fresh == 0) return nullptr;
    Variable& variable = variables[fresh];
    for (;;) {
        const Ownership ownership(before);
        if (ownership.recorded()) return variables + ownership.variable();
        if (!ownership.untouched()) {
            // Whatever comes next is after all that the owner did, which may be anything up to now if it is only
            // in its buffer.
            const HistoryPage& last = history.page(ownership.page());
            variable.last_stamp = is_mark(last) ? current_stamp() : last.stamp;
            variable.last_thread = last.thread;
            variable.last_changed = true;
        }
        if (!cell.state.compare_exchange_weak(before, fresh)) continue;
        if (!ownership.untouched()) {
            const Inside inside(state);
            shared_identities.add(cell.identity.load(std::memory_order_relaxed));
            // The owner may be turning the page: it changes the past first (turn_page).
            const HistoryBits last{ownership.page(), ownership.low(), cell.high_bits.load()};
            add_late_history(cell.identity.load(std::memory_order_relaxed), address & ~Address{7}, last,
                             cell.past.load());
        }
        variable.past_told.store(true, std::memory_order_release);
        return &variable;
    }
}

Variable* link_variable_of(ThreadState& state, Cell& cell, Address address) noexcept {
    Variable* variable = variable_of(state, cell, address);
    if (variable != nullptr && !variable->linked.exchange(true)) {
        link_to_block(state, ObjectKind::variable, cell.identity.load(std::memory_order_relaxed),
                      address & ~Address{7});
    }
    return variable;
}

void record_access(ThreadState& state, Cell& cell, Address address, unsigned size, EventKind kind,
                   Address place, bool repeated) noexcept {
    const bool writes = kind == EventKind::write;
    const bool values = settings().values;
    const bool compares = writes && values && repeated;
    const std::uint64_t before = compares ? load_value(address, size) : 0;
    const Inside inside(state);
    make_room(state, 3);
    const StackNode stack = state.calls.node_of(place);
    Variable* variable = linked_variable_of(state, cell, address);
    if (variable == nullptr) return;

    const Variable::Part part(static_cast<unsigned>(address & 7U), size);
    Record record{Record::head_of(kind, address, size), stack, cell.identity.load(std::memory_order_relaxed),
                  0};
    bool told_before = false;
    bool changes = writes; // what the trace tells of the variable
    variable->lock.lock();
    if (writes) {
        told_before = compares && variable->tells(part, before);
        variable->forget(part);
    } else if (values) {
        record.value = load_value(address, size);
        if (variable->tells(part, record.value)) {
            record.head |= Record::kHasValue | Record::kTold;
        } else if (variable->agrees(part, record.value)) {
            variable->learn(part, record.value);
            record.head |= Record::kHasValue;
            changes = true;
        }
    }
    order_after(state, cell, *variable, changes);
    put_stamp(state);
    Record* place_in_buffer = state.position.load(std::memory_order_relaxed);
    put(state, record);
    mark_access(state, *variable, changes, true);
    if (!writes && values) tell_in_cell(cell, *variable);
    if (writes && values && state.pending_count < ThreadState::kMaxPending &&
        variable->writers != Variable::kMostWriters) {
        const bool lost = !variable->begin_write(part);
        state.pending[state.pending_count++] = {place_in_buffer, variable, variable->version,
                                                told_before,     lost,     before};
    }
    variable->lock.unlock();
}

void drop_pending(ThreadState& state) noexcept {
    distrust_pending(state);
    resolve_pending(state);
}

void resolve_pending(ThreadState& state) noexcept {
    std::array<PendingWrite, ThreadState::kMaxPending> writes;
    std::uint32_t count = 0;
    {
        const Inside inside(state); // a signal handler has writes of its own
        count = std::exchange(state.pending_count, 0);
        std::copy_n(state.pending, count, writes.begin());
    }
    for (std::uint32_t i = count; i-- > 0;) {
        const PendingWrite& write = writes[i];
        Record& record = *write.record;
        const ByteRange bytes = record.bytes();
        const std::uint64_t value = write.lost ? 0 : load_value(record.address(), bytes.size);
        const Inside inside(state);
        write.variable->lock.lock();
        write.variable->end_write();
        if (!write.lost && write.variable->version == write.version) {
            write.variable->learn(Variable::Part(bytes.offset, bytes.size), value);
            record.value = value;
            record.head |= Record::kHasValue;
            if (write.told_before && write.before == value)
                record.head = std::uint64_t{Record::kNothing} << 48U;
        }
        write.variable->lock.unlock();
    }
}

ObjectKey object_key(ThreadState& state, Address object) noexcept {
    const Cell* cell = touch(state, object);
    if (cell == nullptr) return {0, object};
    const std::uint32_t half = static_cast<std::uint32_t>(object >> 2U & 1U);
    return {cell->identity.load(std::memory_order_relaxed) * 2 + half, object};
}

void renew_object(Address object, std::size_t bytes) noexcept {
    shadow.forget(object, bytes);
}

void record_synchronisation(ThreadState& state, EventKind kind, ObjectKey target, Address place,
                            std::optional<std::uint64_t> value, MemoryOrder order) noexcept {
    make_room(state, 3);
    // Not for locks: the unwinder has one of its own, and may be what is recorded here.
    const bool unwinds = kind == EventKind::fork || kind == EventKind::join;
    const StackNode stack = unwinds ? node_of_synchronisation(state, place) : state.calls.node_of(place);
    const std::uint64_t head = Record::head_of(kind, target.address, 8, order);
    if (target.address != 0) link_object(state, *traits(kind).target, target);
    take_stamp_for(state, kind, target, value.has_value());
    if (value) {
        put_stamp(state);
        put(state, {head | Record::kHasValue, stack, target, *value});
    } else {
        put(state, {head | Record::kHasStamp, stack, target, state.stamp});
        state.stamp_in_buffer = state.stamp;
    }
    state.busy.store(false, std::memory_order_release);
    state.forget_filtered();
    ++state.synchronisations_seen;
}

} // namespace heddle::recorder
