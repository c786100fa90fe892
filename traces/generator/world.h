// What simulated threads share apart from memory, and what each is about to do.
#pragma once

#include "traces/event.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::generator {

/// A step of a thread's plan. Each adds at most one event; one that turned out to be impossible when its
/// turn came (an inner lock is taken, a semaphore is at zero) is skipped.
enum class StepKind : std::uint8_t {
    begin,
    end,
    fork,
    join,
    initialise,
    access_in_section,
    access_outside,
    acquire, ///< blocks only while the thread holds nothing; then no simulation can deadlock
    acquire_shared,
    release, ///< in whatever mode it is held; skipped when it is not
    wait_pre,
    wait_release,
    wait_acquire,
    wait_post,
    notify,
    barrier_enter,
    barrier_leave,
    sem_init,
    sem_post,
    sem_wait,
    once_begin,
    once_body,
    once_end,
    allocate_or_free,
    access_field,
    txn_begin,
    txn_end,
    annotate,
};

struct Step {
    StepKind kind = StepKind::begin;
    std::uint32_t object = kNoTarget; ///< number of the lock, condition, … that it is about
};

struct HeldLock {
    std::uint32_t lock = 0;
    bool shared = false;
};

struct ThreadState {
    std::vector<Step> plan;
    std::size_t next = 0; ///< in the plan
    std::vector<HeldLock> held;
    bool ended = false;

    bool waiting = false; ///< for a notify or a time-out
    bool impatient = false;
    std::optional<std::uint64_t> ticket;
    std::uint64_t barrier_round = 0;

    [[nodiscard]] bool holds(std::uint32_t lock) const {
        for (const HeldLock& hold : held) {
            if (hold.lock == lock) return true;
        }
        return false;
    }
};

struct LockState {
    bool owned = false;
    std::uint32_t sharers = 0;
};

struct BarrierState {
    std::vector<bool> member;  ///< by thread
    std::vector<bool> arrived; ///< in this round, by thread
    std::uint32_t members = 0;
    std::uint32_t arrivals = 0;
    std::uint64_t round = 0;
};

struct OnceState {
    std::uint32_t initialiser = kNoTarget;
    bool done = false;
};

struct World {
    std::vector<ThreadState> threads;
    std::vector<LockState> locks;
    std::vector<std::vector<std::uint32_t>> waiters; ///< threads, by condition
    std::vector<BarrierState> barriers;
    std::optional<std::uint32_t> open_barrier; ///< some of whose members have yet to arrive
    std::vector<std::uint64_t> semaphores;     ///< counts
    std::vector<OnceState> onces;
    std::vector<bool> marked; ///< tags with a happens-before, by number
};

} // namespace heddle::generator
