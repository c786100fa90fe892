// Barriers. Threads are counted into rounds in the order of their stamps.
#include "traces/recorder/barrier_rounds.h"
#include "traces/recorder/interception.h"

using namespace heddle::recorder;
using heddle::EventKind;

HEDDLE_EXPORT int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes,
                                       unsigned count) noexcept {
    ThreadState* state = recorded_thread();
    const int result = real().pthread_barrier_init(barrier, attributes, count);
    if (state == nullptr || result != 0) return result;
    const Inside inside(*state);
    renew_object(address_of(barrier), sizeof(*barrier));
    begin_barrier(object_key(*state, address_of(barrier)), count);
    return result;
}
HEDDLE_EXPORT int pthread_barrier_destroy(pthread_barrier_t* barrier) noexcept {
    ThreadState* state = recorded_thread();
    const int result = real().pthread_barrier_destroy(barrier);
    if (state == nullptr || result != 0) return result;
    const Inside inside(*state);
    end_barrier(object_key(*state, address_of(barrier)));
    renew_object(address_of(barrier), sizeof(*barrier));
    return result;
}
HEDDLE_EXPORT int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
    ThreadState* state = synchronising_thread();
    if (state == nullptr) {
        const int passed = real().pthread_barrier_wait(barrier);
        replay::happened(heddle::replay::Operation::barrier, barrier, HEDDLE_CALLER);
        return passed;
    }
    ObjectKey key;
    std::optional<std::uint64_t> round;
    {
        const Inside inside(*state);
        key = object_key(*state, address_of(barrier));
        round = enter_barrier(*state, key, HEDDLE_CALLER);
    }
    int result = 0;
    {
        const Blocking blocking(state);
        result = real().pthread_barrier_wait(barrier);
    }
    const Inside inside(*state);
    record_synchronisation(*state, EventKind::barrier_leave, key, HEDDLE_CALLER, round);
    return result;
}
