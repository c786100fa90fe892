// Locks of every make, told to the trace. Called right after the real lock was acquired and right before it
// is released, so that stamps agree with who had it.
#pragma once

#include "traces/recorder/interception.h"
#include "traces/tried.h"

#include <cerrno>

namespace heddle::recorder {

using heddle::replay::Operation;
using replay::Sure;

[[nodiscard]] constexpr Operation acquiring(bool shared) noexcept {
    return shared ? Operation::acquire_shared : Operation::acquire;
}

/// `sure`: the thread would have waited for the lock as long as it takes.
inline void lock_acquired(ThreadState* state, const void* lock, bool shared, Address place,
                          Sure sure) noexcept {
    if (state == nullptr) return replay::happened(acquiring(shared), lock, place);
    const Inside inside(*state);
    const ObjectKey key = object_key(*state, address_of(lock));
    if (!state->held.acquire(key, shared)) return;
    record_synchronisation(*state, shared ? EventKind::acquire_shared : EventKind::acquire, key, place,
                           sure == Sure::yes ? std::nullopt : std::optional(kTried));
}

inline void lock_released(ThreadState* state, const void* lock, Address place) noexcept {
    if (state == nullptr) return replay::happened(Operation::release, lock, place);
    const Inside inside(*state);
    const ObjectKey key = object_key(*state, address_of(lock));
    switch (state->held.release(key)) {
    case HeldLocks::Release::exclusive: return record_synchronisation(*state, EventKind::release, key, place);
    case HeldLocks::Release::shared:
        return record_synchronisation(*state, EventKind::release_shared, key, place);
    default: return;
    }
}

/// Releases the lock with `release`. A buffer that is nearly full is written now, while the thread holds
/// nothing, rather than later with other threads waiting for it.
template<typename Release>
int release_lock(const void* lock, Address place, Release&& release) noexcept {
    ThreadState* state = synchronising_thread();
    lock_released(state, lock, place);
    const int result = release();
    if (state != nullptr && state->is_nearly_full() && state->held.none()) [[unlikely]]
        flush_own(*state);
    return result;
}

/// The lock at this address is another one from now on.
inline void lock_renewed(ThreadState* state, const void* lock, std::size_t bytes) noexcept {
    if (state == nullptr) return;
    const Inside inside(*state);
    renew_object(address_of(lock), bytes);
}

/// Tries to acquire, and again for about a microsecond: whoever has the lock is slower than it would be if it
/// were not recorded, and should not therefore be the one that others fall asleep over.
template<typename Try>
int acquire_soon(Try&& try_it) noexcept {
    constexpr unsigned kMostPauses = 16;
    int result = try_it();
    for (unsigned pauses = 2; result == EBUSY && pauses <= kMostPauses; pauses *= 2) {
        for (unsigned i = 0; i < pauses; ++i) __builtin_ia32_pause();
        result = try_it();
    }
    return result;
}

/// Acquires the lock. If that succeeds at once there is no need to tell others that the thread may block.
template<typename Try, typename Wait>
int acquire_lock(const void* lock, bool shared, Sure sure, Address place, Try&& try_it,
                 Wait&& wait) noexcept {
    ThreadState* state = synchronising_thread();
    if (state == nullptr) replay::arrive(acquiring(shared), lock, place, sure);
    int result = state == nullptr ? wait() : acquire_soon(try_it);
    if (state != nullptr && result == EBUSY) {
        const Blocking blocking(state);
        result = wait();
    }
    if (result == 0 || result == EOWNERDEAD) lock_acquired(state, lock, shared, place, sure);
    return result;
}

/// Acquires the lock if it is free now.
template<typename Try>
int try_lock(const void* lock, bool shared, Address place, int success, Try&& try_it) noexcept {
    ThreadState* state = synchronising_thread();
    if (state == nullptr) replay::arrive(acquiring(shared), lock, place, Sure::no);
    const int result = try_it();
    if (result == success || result == EOWNERDEAD) lock_acquired(state, lock, shared, place, Sure::no);
    return result;
}

} // namespace heddle::recorder
