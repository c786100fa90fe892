// pthread read-write locks.
#include "traces/recorder/locks.h"

using namespace heddle::recorder;

HEDDLE_EXPORT int pthread_rwlock_init(pthread_rwlock_t* lock,
                                      const pthread_rwlockattr_t* attributes) noexcept {
    lock_renewed(recorded_thread(), lock, sizeof(*lock));
    return real().pthread_rwlock_init(lock, attributes);
}
HEDDLE_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t* lock) noexcept {
    ThreadState* state = recorded_thread();
    const int result = real().pthread_rwlock_destroy(lock);
    if (result == 0) lock_renewed(state, lock, sizeof(*lock));
    return result;
}
HEDDLE_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
    return acquire_lock(
        lock, true, Sure::yes, HEDDLE_CALLER, [&] { return real().pthread_rwlock_tryrdlock(lock); },
        [&] { return real().pthread_rwlock_rdlock(lock); });
}
HEDDLE_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) noexcept {
    return try_lock(lock, true, HEDDLE_CALLER, 0, [&] { return real().pthread_rwlock_tryrdlock(lock); });
}
HEDDLE_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* until) noexcept {
    return acquire_lock(
        lock, true, Sure::no, HEDDLE_CALLER, [&] { return real().pthread_rwlock_tryrdlock(lock); },
        [&] { return real().pthread_rwlock_timedrdlock(lock, until); });
}
HEDDLE_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock,
                                             const timespec* until) noexcept {
    return acquire_lock(
        lock, true, Sure::no, HEDDLE_CALLER, [&] { return real().pthread_rwlock_tryrdlock(lock); },
        [&] { return real().pthread_rwlock_clockrdlock(lock, clock, until); });
}
HEDDLE_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
    return acquire_lock(
        lock, false, Sure::yes, HEDDLE_CALLER, [&] { return real().pthread_rwlock_trywrlock(lock); },
        [&] { return real().pthread_rwlock_wrlock(lock); });
}
HEDDLE_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) noexcept {
    return try_lock(lock, false, HEDDLE_CALLER, 0, [&] { return real().pthread_rwlock_trywrlock(lock); });
}
HEDDLE_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* until) noexcept {
    return acquire_lock(
        lock, false, Sure::no, HEDDLE_CALLER, [&] { return real().pthread_rwlock_trywrlock(lock); },
        [&] { return real().pthread_rwlock_timedwrlock(lock, until); });
}
HEDDLE_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock,
                                             const timespec* until) noexcept {
    return acquire_lock(
        lock, false, Sure::no, HEDDLE_CALLER, [&] { return real().pthread_rwlock_trywrlock(lock); },
        [&] { return real().pthread_rwlock_clockwrlock(lock, clock, until); });
}
HEDDLE_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
    return release_lock(lock, HEDDLE_CALLER, [&] { return real().pthread_rwlock_unlock(lock); });
}
