// Mutexes, conditions and once of C11's <threads.h>, which do not go through pthread's entry points.
#include "traces/recorder/conditions.h"
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
    return wait_for(condition, mutex, Sure::yes, HEDDLE_CALLER, thrd_success,
                    [&] { return real().cnd_wait(condition, mutex); });
}
HEDDLE_EXPORT int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* until) {
    return wait_for(condition, mutex, Sure::no, HEDDLE_CALLER, thrd_success,
                    [&] { return real().cnd_timedwait(condition, mutex, until); });
}
HEDDLE_EXPORT int cnd_signal(cnd_t* condition) noexcept {
    notified(condition, false, HEDDLE_CALLER);
    return real().cnd_signal(condition);
}
HEDDLE_EXPORT int cnd_broadcast(cnd_t* condition) noexcept {
    notified(condition, true, HEDDLE_CALLER);
    return real().cnd_broadcast(condition);
}

HEDDLE_EXPORT void call_once(once_flag* once, void (*initialise)()) {
    run_once(once, initialise, HEDDLE_CALLER, [&](void (*run)()) {
        real().call_once(once, run);
        return 0;
    });
}
