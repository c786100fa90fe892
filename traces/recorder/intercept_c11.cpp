// Mutexes, conditions and once of C11's <threads.h>, which do not go through pthread's entry points.
#include "traces/recorder/conditions.h"
#include "traces/recorder/locks.h"
#include "traces/recorder/once.h"

using namespace heddle::recorder;

namespace {

template<typename Lock>
int acquire_c11(mtx_t* mutex, Sure sure, Address place, Lock&& lock) {
    ThreadState* state = synchronising_thread();
    if (state == nullptr) replay::arrive(Operation::acquire, mutex, place, sure);
    int result = state == nullptr ? int{thrd_busy} : real().mtx_trylock(mutex);
    if (result != thrd_success) {
        const Blocking blocking(state);
        result = lock();
    }
    if (result == thrd_success) lock_acquired(state, mutex, false, place, sure);
    return result;
}

// To the C library they are the same.
pthread_cond_t* as_pthread(cnd_t* condition) noexcept {
    return reinterpret_cast<pthread_cond_t*>(condition);
}
pthread_mutex_t* as_pthread(mtx_t* mutex) noexcept {
    return reinterpret_cast<pthread_mutex_t*>(mutex);
}
int as_in_c11(int error) noexcept {
    switch (error) {
    case 0: return thrd_success;
    case ETIMEDOUT: return thrd_timedout;
    default: return thrd_error;
    }
}

} // namespace

HEDDLE_EXPORT int mtx_init(mtx_t* mutex, int type) noexcept {
    lock_renewed(recorded_thread(), mutex, sizeof(*mutex));
    return real().mtx_init(mutex, type);
}
HEDDLE_EXPORT void mtx_destroy(mtx_t* mutex) noexcept {
    lock_renewed(recorded_thread(), mutex, sizeof(*mutex));
    real().mtx_destroy(mutex);
}
HEDDLE_EXPORT int mtx_lock(mtx_t* mutex) {
    return acquire_c11(mutex, Sure::yes, HEDDLE_CALLER, [&] { return real().mtx_lock(mutex); });
}
HEDDLE_EXPORT int mtx_timedlock(mtx_t* mutex, const timespec* until) {
    return acquire_c11(mutex, Sure::no, HEDDLE_CALLER, [&] { return real().mtx_timedlock(mutex, until); });
}
HEDDLE_EXPORT int mtx_trylock(mtx_t* mutex) noexcept {
    return try_lock(mutex, false, HEDDLE_CALLER, thrd_success, [&] { return real().mtx_trylock(mutex); });
}
HEDDLE_EXPORT int mtx_unlock(mtx_t* mutex) noexcept {
    return release_lock(mutex, HEDDLE_CALLER, [&] { return real().mtx_unlock(mutex); });
}

HEDDLE_EXPORT int cnd_init(cnd_t* condition) noexcept {
    lock_renewed(recorded_thread(), condition, sizeof(*condition));
    return real().cnd_init(condition);
}
HEDDLE_EXPORT void cnd_destroy(cnd_t* condition) noexcept {
    real().cnd_destroy(condition);
    lock_renewed(recorded_thread(), condition, sizeof(*condition));
}
HEDDLE_EXPORT int cnd_wait(cnd_t* condition, mtx_t* mutex) {
    return as_in_c11(wait_for_condition(as_pthread(condition), as_pthread(mutex), {}, HEDDLE_CALLER));
}
HEDDLE_EXPORT int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* until) {
    return as_in_c11(
        wait_for_condition(as_pthread(condition), as_pthread(mutex), {.time = until}, HEDDLE_CALLER));
}
HEDDLE_EXPORT int cnd_signal(cnd_t* condition) noexcept {
    return as_in_c11(notify_condition(as_pthread(condition), false, HEDDLE_CALLER));
}
HEDDLE_EXPORT int cnd_broadcast(cnd_t* condition) noexcept {
    return as_in_c11(notify_condition(as_pthread(condition), true, HEDDLE_CALLER));
}

HEDDLE_EXPORT void call_once(once_flag* once, void (*initialise)()) {
    run_once(once, initialise, HEDDLE_CALLER, [&](void (*run)()) {
        real().call_once(once, run);
        return 0;
    });
}
