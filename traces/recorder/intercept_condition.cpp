// pthread condition variables.
#include "traces/recorder/conditions.h"
#include "traces/recorder/locks.h"

using namespace heddle::recorder;

HEDDLE_EXPORT int pthread_cond_init(pthread_cond_t* condition,
                                    const pthread_condattr_t* attributes) noexcept {
    lock_renewed(recorded_thread(), condition, sizeof(*condition));
    return real().pthread_cond_init(condition, attributes);
}
HEDDLE_EXPORT int pthread_cond_destroy(pthread_cond_t* condition) noexcept {
    ThreadState* state = recorded_thread();
    const int result = real().pthread_cond_destroy(condition);
    lock_renewed(state, condition, sizeof(*condition));
    return result;
}
HEDDLE_EXPORT int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
    return wait_for_condition(condition, mutex, {}, HEDDLE_CALLER);
}
HEDDLE_EXPORT int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                         const timespec* until) {
    return wait_for_condition(condition, mutex, {.time = until}, HEDDLE_CALLER);
}
HEDDLE_EXPORT int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                         const timespec* until) {
    return wait_for_condition(condition, mutex, {.time = until, .clock = clock}, HEDDLE_CALLER);
}
HEDDLE_EXPORT int pthread_cond_signal(pthread_cond_t* condition) noexcept {
    return notify_condition(condition, false, HEDDLE_CALLER);
}
HEDDLE_EXPORT int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
    return notify_condition(condition, true, HEDDLE_CALLER);
}
