// pthread mutexes and spin locks.
#include "traces/recorder/locks.h"

using namespace heddle::recorder;

namespace {

/// After each acquisition: a robust mutex is released when its owner ends with it.
int mark_robust(const pthread_mutex_t* mutex, int result) noexcept {
    constexpr int kRobust = 16; // in the C library's __kind
    if ((mutex->__data.__kind & kRobust) == 0 || (result != 0 && result != EOWNERDEAD)) return result;
    ThreadState* state = synchronising_thread();
    if (state == nullptr) return result;
    const Inside inside(*state);
    state->held.mark_robust(object_key(*state, address_of(mutex)));
    return result;
}

} // namespace

HEDDLE_EXPORT int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) noexcept {
    lock_renewed(recorded_thread(), mutex, sizeof(*mutex));
    return real().pthread_mutex_init(mutex, attributes);
}
HEDDLE_EXPORT int pthread_mutex_destroy(pthread_mutex_t* mutex) noexcept {
    ThreadState* state = recorded_thread();
    const int result = real().pthread_mutex_destroy(mutex);
    if (result == 0) lock_renewed(state, mutex, sizeof(*mutex));
    return result;
}
HEDDLE_EXPORT int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
    return mark_robust(mutex, acquire_lock(
                                  mutex, false, Sure::yes, HEDDLE_CALLER,
                                  [&] { return real().pthread_mutex_trylock(mutex); },
                                  [&] { return real().pthread_mutex_lock(mutex); }));
}
HEDDLE_EXPORT int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
    return mark_robust(
        mutex, try_lock(mutex, false, HEDDLE_CALLER, 0, [&] { return real().pthread_mutex_trylock(mutex); }));
}
HEDDLE_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* until) noexcept {
    return mark_robust(mutex, acquire_lock(
                                  mutex, false, Sure::no, HEDDLE_CALLER,
                                  [&] { return real().pthread_mutex_trylock(mutex); },
                                  [&] { return real().pthread_mutex_timedlock(mutex, until); }));
}
HEDDLE_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                                          const timespec* until) noexcept {
    return mark_robust(mutex, acquire_lock(
                                  mutex, false, Sure::no, HEDDLE_CALLER,
                                  [&] { return real().pthread_mutex_trylock(mutex); },
                                  [&] { return real().pthread_mutex_clocklock(mutex, clock, until); }));
}
HEDDLE_EXPORT int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
    return release_lock(mutex, HEDDLE_CALLER, [&] { return real().pthread_mutex_unlock(mutex); });
}

namespace {
/// A spin lock is declared volatile, which its memory is not.
const void* plain(const volatile void* lock) {
    return const_cast<const void*>(lock);
}
} // namespace

HEDDLE_EXPORT int pthread_spin_init(pthread_spinlock_t* lock, int shared) noexcept {
    lock_renewed(recorded_thread(), plain(lock), sizeof(*lock));
    return real().pthread_spin_init(lock, shared);
}
HEDDLE_EXPORT int pthread_spin_destroy(pthread_spinlock_t* lock) noexcept {
    lock_renewed(recorded_thread(), plain(lock), sizeof(*lock));
    return real().pthread_spin_destroy(lock);
}
HEDDLE_EXPORT int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
    return acquire_lock(
        plain(lock), false, Sure::yes, HEDDLE_CALLER, [&] { return real().pthread_spin_trylock(lock); },
        [&] { return real().pthread_spin_lock(lock); });
}
HEDDLE_EXPORT int pthread_spin_trylock(pthread_spinlock_t* lock) noexcept {
    return try_lock(plain(lock), false, HEDDLE_CALLER, 0, [&] { return real().pthread_spin_trylock(lock); });
}
HEDDLE_EXPORT int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
    return release_lock(plain(lock), HEDDLE_CALLER, [&] { return real().pthread_spin_unlock(lock); });
}
