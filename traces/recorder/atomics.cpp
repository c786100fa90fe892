#include "traces/recorder/atomics.h"

namespace heddle::recorder {

bool is_polling(const ThreadState& state, const AtomicAccess& access, std::uint64_t seen) noexcept {
    const LastLoad& last = state.last_load;
    return !settings().full && last.address == access.address && last.place == access.place &&
           last.value == seen && last.after == state.position.load(std::memory_order_relaxed);
}

void record_atomic(ThreadState& state, Cell& cell, Variable& variable, const AtomicAccess& access,
                   unsigned size, const AtomicOutcome& outcome) noexcept {
    const Variable::Part part(static_cast<unsigned>(access.address & 7U), size);
    const bool reads = outcome.kind != EventKind::atomic_store;
    const bool writes = outcome.kind != EventKind::atomic_load;
    // What code that is not instrumented wrote in between is not in the trace.
    const bool has_value = settings().values && (!reads || variable.agrees(part, outcome.seen));
    const bool changes = writes || (has_value && !variable.tells(part, outcome.seen));
    if (has_value) {
        variable.learn(part, writes ? outcome.stored : outcome.seen);
    } else if (writes) {
        variable.forget(part);
    }
    Record record{.head = Record::head_of(outcome.kind, access.address, size,
                                          outcome.failed ? access.order_if_failed : access.order),
                  .stack = state.calls.node_of(access.place),
                  .target = cell.identity.load(std::memory_order_relaxed),
                  .value = writes ? outcome.stored : outcome.seen};
    if (has_value) record.head |= Record::kHasValue;
    if (changes && variable.read_shared.load(std::memory_order_relaxed)) [[unlikely]] {
        // After reads that left no mark.
        stop_telling(cell);
        take_stamp(state);
    } else {
        take_stamp_after(state, variable.last_stamp);
    }
    put_stamp(state, outcome.seen);
    put(state, record);
    state.busy.store(false, std::memory_order_release);
    mark_access(state, variable, changes, false);
    state.forget_filtered();
    ++state.synchronisations_seen;
    if (!writes) {
        state.last_load = {access.address, access.place, outcome.seen,
                           state.position.load(std::memory_order_relaxed)};
    }
}

} // namespace heddle::recorder
