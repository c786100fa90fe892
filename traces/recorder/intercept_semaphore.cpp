// Semaphores. A post is stamped before it happens and a wait after, so that the count never drops below 0.
#include "traces/recorder/interception.h"

using namespace heddle::recorder;
using heddle::EventKind;
using heddle::replay::Operation;

namespace {

/// Of the beginning of a semaphore nothing depends on other threads.
void tell_replay(EventKind kind, const sem_t* semaphore, Address place) noexcept {
    if (kind == EventKind::sem_init) return;
    replay::happened(kind == EventKind::sem_post ? Operation::sem_post : Operation::sem_wait, semaphore,
                     place);
}

void tell(ThreadState* state, EventKind kind, const sem_t* semaphore, Address place,
          std::optional<std::uint64_t> value = std::nullopt) noexcept {
    if (state == nullptr) return tell_replay(kind, semaphore, place);
    const Inside inside(*state);
    record_synchronisation(*state, kind, object_key(*state, address_of(semaphore)), place, value);
}

template<typename RealWait>
int wait_for(sem_t* semaphore, Address place, RealWait&& wait) {
    ThreadState* state = synchronising_thread();
    if (state == nullptr) replay::arrive(Operation::sem_wait, semaphore, place);
    int result = state == nullptr ? -1 : real().sem_trywait(semaphore);
    if (result != 0) {
        const Blocking blocking(state);
        result = wait();
    }
    if (result == 0) tell(state, EventKind::sem_wait, semaphore, place);
    return result;
}

void renew(ThreadState* state, const sem_t* semaphore) noexcept {
    if (state == nullptr) return;
    const Inside inside(*state);
    renew_object(address_of(semaphore), sizeof(*semaphore));
}

} // namespace

HEDDLE_EXPORT int sem_init(sem_t* semaphore, int shared, unsigned count) noexcept {
    ThreadState* state = recorded_thread();
    const int result = real().sem_init(semaphore, shared, count);
    if (result != 0) return result;
    renew(state, semaphore);
    tell(state, EventKind::sem_init, semaphore, HEDDLE_CALLER, count);
    return result;
}
HEDDLE_EXPORT int sem_destroy(sem_t* semaphore) noexcept {
    renew(recorded_thread(), semaphore);
    return real().sem_destroy(semaphore);
}
HEDDLE_EXPORT int sem_post(sem_t* semaphore) noexcept {
    ThreadState* state = synchronising_thread();
    if (state == nullptr) replay::arrive(Operation::sem_post, semaphore, HEDDLE_CALLER);
    tell(state, EventKind::sem_post, semaphore, HEDDLE_CALLER);
    return real().sem_post(semaphore);
}
HEDDLE_EXPORT int sem_wait(sem_t* semaphore) {
    return wait_for(semaphore, HEDDLE_CALLER, [&] { return real().sem_wait(semaphore); });
}
HEDDLE_EXPORT int sem_trywait(sem_t* semaphore) noexcept {
    ThreadState* state = synchronising_thread();
    if (state == nullptr) replay::arrive(Operation::sem_wait, semaphore, HEDDLE_CALLER, replay::Sure::no);
    const int result = real().sem_trywait(semaphore);
    if (result == 0) tell(state, EventKind::sem_wait, semaphore, HEDDLE_CALLER);
    return result;
}
HEDDLE_EXPORT int sem_timedwait(sem_t* semaphore, const timespec* until) {
    return wait_for(semaphore, HEDDLE_CALLER, [&] { return real().sem_timedwait(semaphore, until); });
}
HEDDLE_EXPORT int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* until) {
    return wait_for(semaphore, HEDDLE_CALLER, [&] { return real().sem_clockwait(semaphore, clock, until); });
}
