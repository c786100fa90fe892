// Atomic operations. The operation and its stamp must agree: they are done under the lock of the variable, so
// that the order of stamps is the order in which the operations took effect. The operation itself uses the
// strongest memory order: whether a weaker one allows more is for the analyses to say.
#pragma once

#include "traces/recorder/interception.h"
#include "traces/recorder/recording.h"
#include "traces/recorder/settings.h"

#include <mutex>

namespace heddle::recorder {

struct AtomicAccess {
    Address address;
    MemoryOrder order;
    Address place;
    MemoryOrder order_if_failed = MemoryOrder::none; ///< of a compare-exchange that finds another value
    bool only_reads = false;
};

/// What an operation did, for the trace.
struct AtomicOutcome {
    EventKind kind;
    std::uint64_t seen = 0;
    std::uint64_t stored = 0;
    bool failed = false;
};

/// The state of this thread if its atomic operations are recorded.
[[nodiscard]] inline ThreadState* atomic_thread() noexcept {
    ThreadState* state = recorded_thread();
    return state != nullptr && state->muted == 0 && state->ignore_synchronisation == 0 ? state : nullptr;
}

/// The lock of the variable is held. Needs room for two records.
void record_atomic(ThreadState& state, Cell& cell, Variable& variable, const AtomicAccess& access,
                   unsigned size, const AtomicOutcome& outcome) noexcept;

/// A thread that polls tells nothing new by seeing the same value again. Whether this load is such a one.
[[nodiscard]] bool is_polling(const ThreadState& state, const AtomicAccess& access,
                              std::uint64_t seen) noexcept;

/// Does `operation` and records it; `outcome_of` its result says what it did.
template<typename Operation, typename OutcomeOf>
auto atomic_operation(const AtomicAccess& access, unsigned size, Operation&& operation,
                      OutcomeOf&& outcome_of) noexcept {
    ThreadState* state = atomic_thread();
    if (state == nullptr) {
        if (!replay::is_following(current_state)) return operation();
        replay::atomic_arrives(access.address, size, access.place, access.only_reads);
        const auto result = operation();
        const AtomicOutcome outcome = outcome_of(result);
        replay::atomic_happened(access.address, access.place, outcome.kind == EventKind::atomic_load,
                                outcome.seen);
        return result;
    }
    const Inside inside(*state);
    make_room(*state, 3);
    Cell* cell = touch(*state, access.address);
    Variable* variable = cell == nullptr ? nullptr : linked_variable_of(*state, *cell, access.address);
    if (variable == nullptr) return operation();
    // What another core holds is on its way from there while this one waits for the lock.
    __builtin_prefetch(variable, 1);
    __builtin_prefetch(reinterpret_cast<const void*>(access.address), 1);
    const std::scoped_lock lock(variable->lock);
    const auto result = operation();
    record_atomic(*state, *cell, *variable, access, size, outcome_of(result));
    return result;
}

} // namespace heddle::recorder
