// Creation, end and joining of threads.
#include "traces/recorder/interception.h"
#include "traces/recorder/internal_memory.h"
#include "traces/recorder/threads.h"

#include <cerrno>
#include <csignal>
#include <cstdarg>

#include <sys/prctl.h>

using namespace heddle::recorder;
using heddle::EventKind;

namespace {

/// `Result` is what the thread's function returns: pthread's and C11's differ.
template<typename Result>
struct Start {
    ThreadState* state;
    Result (*run)(void*);
    void* argument;
    sigset_t signals; ///< that the creator blocks
};

/// Blocks all signals for its life. A thread that is created meanwhile starts with them blocked: no handler
/// may run in it before the recorder knows it.
class SignalsBlocked {
  public:
    SignalsBlocked() noexcept {
        sigset_t all;
        sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

    [[nodiscard]] const sigset_t& before() const noexcept { return before_; }

  private:
    sigset_t before_{};
};

template<typename Result>
Result run_thread(void* raw) {
    const auto start = *static_cast<Start<Result>*>(raw);
    release(raw);
    begin_thread(*start.state);
    ::pthread_sigmask(SIG_SETMASK, &start.signals, nullptr);
    return start.run(start.argument);
}

template<typename Result>
Result run_replaying(void* raw) {
    const auto start = *static_cast<Start<Result>*>(raw);
    release(raw);
    replay::begin(*start.state);
    return start.run(start.argument);
}

/// The same for a thread that is not recorded, but may be in a replay plan.
template<typename Result, typename Create>
int create_replaying(Result (*run)(void*), void* argument, Address place, Create&& create) {
    ThreadState* created = replay::create(place);
    if (created == nullptr) return create(run, argument);
    ThreadState* creator = current_state;
    const Inside inside(*creator);
    auto* start = static_cast<Start<Result>*>(allocate(sizeof(Start<Result>)));
    if (start == nullptr) return replay::abandon(*created), create(run, argument);
    *start = {created, run, argument, {}};
    const int result = create(run_replaying<Result>, start);
    if (result != 0) {
        replay::abandon(*created);
        release(start);
    }
    return result;
}

/// `create` makes the real thread with the start function and argument it is given.
template<typename Result, typename Create>
int create_thread(pthread_t* handle, Result (*run)(void*), void* argument, Address place, Create&& create) {
    ThreadState* creator = recorded_thread();
    if (creator == nullptr) return create_replaying(run, argument, place, create);
    ThreadState* created = new_thread(*creator);
    auto* start = created == nullptr ? nullptr : static_cast<Start<Result>*>(allocate(sizeof(Start<Result>)));
    if (start == nullptr) return create(run, argument);
    const SignalsBlocked blocked;
    *start = {created, run, argument, blocked.before()};
    const std::uint32_t thread = created->thread;
    ThreadLife* const life = created->life;
    {
        const Inside inside(*creator);
        // What is in the buffer has no history yet. With one, the new thread can take over what was made for
        // it.
        constexpr std::ptrdiff_t kManyRecords = 1024;
        if (creator->position.load(std::memory_order_relaxed) - creator->buffer >= kManyRecords)
            flush_own(*creator);
        record_synchronisation(*creator, EventKind::fork, thread, place);
        created->clock.join(creator->clock);
        created->clock.raise(creator->thread, creator->stamp - 1);
    }
    int result = 0;
    {
        // The library's own bookkeeping for the new thread allocates; that memory is not the program's.
        const Inside inside(*creator);
        result = create(run_thread<Result>, start);
        if (result == 0) register_handle(*handle, life);
    }
    if (result != 0) {
        abandon_thread(*created);
        release(start);
    }
    return result;
}

/// After a successful join.
void joined(ThreadState* state, pthread_t handle, ThreadLife* life, Address place) {
    if (state != nullptr && life != nullptr) {
        const Inside inside(*state);
        record_synchronisation(*state, EventKind::join, life->thread, place);
        state->clock.join(life->clock);
        state->clock.raise(life->thread, ForkJoinClock::kEverything);
    }
    if (life != nullptr) forget_handle(handle, life);
    if (state == nullptr) replay::happened(heddle::replay::Operation::join, nullptr, place);
}

template<typename Join>
int join_thread(pthread_t handle, Address place, Join&& join) {
    ThreadState* state = recorded_thread();
    ThreadLife* life = known_handle(handle);
    int result = 0;
    {
        const Blocking blocking(state);
        result = join();
    }
    if (result == 0) joined(state, handle, life, place);
    return result;
}

/// Before a thread is detached.
void detached(pthread_t handle) noexcept {
    if (ThreadLife* life = known_handle(handle); life != nullptr) forget_handle(handle, life);
}

} // namespace

HEDDLE_EXPORT int pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*run)(void*),
                                 void* argument) noexcept {
    return create_thread(handle, run, argument, HEDDLE_CALLER, [&](void* (*start)(void*), void* given) {
        return real().pthread_create(handle, attributes, start, given);
    });
}
HEDDLE_EXPORT int pthread_join(pthread_t handle, void** result) {
    return join_thread(handle, HEDDLE_CALLER, [&] { return real().pthread_join(handle, result); });
}
HEDDLE_EXPORT int pthread_tryjoin_np(pthread_t handle, void** result) noexcept {
    return join_thread(handle, HEDDLE_CALLER, [&] { return real().pthread_tryjoin_np(handle, result); });
}
HEDDLE_EXPORT int pthread_timedjoin_np(pthread_t handle, void** result, const timespec* until) {
    return join_thread(handle, HEDDLE_CALLER,
                       [&] { return real().pthread_timedjoin_np(handle, result, until); });
}
HEDDLE_EXPORT int pthread_clockjoin_np(pthread_t handle, void** result, clockid_t clock,
                                       const timespec* until) {
    return join_thread(handle, HEDDLE_CALLER,
                       [&] { return real().pthread_clockjoin_np(handle, result, clock, until); });
}
HEDDLE_EXPORT int pthread_detach(pthread_t handle) noexcept {
    detached(handle);
    return real().pthread_detach(handle);
}
HEDDLE_EXPORT int thrd_create(thrd_t* handle, thrd_start_t run, void* argument) noexcept {
    return create_thread(handle, run, argument, HEDDLE_CALLER, [&](thrd_start_t start, void* given) {
        return real().thrd_create(handle, start, given);
    });
}
HEDDLE_EXPORT int thrd_join(thrd_t handle, int* result) {
    return join_thread(handle, HEDDLE_CALLER, [&] { return real().thrd_join(handle, result); });
}
HEDDLE_EXPORT int thrd_detach(thrd_t handle) noexcept {
    detached(handle);
    return real().thrd_detach(handle);
}

HEDDLE_EXPORT int pthread_setname_np(pthread_t handle, const char* name) noexcept {
    ThreadState* state = recorded_thread();
    if (state != nullptr && handle == ::pthread_self()) {
        state->set_name(name);
    } else if (state != nullptr) {
        const Inside inside(*state);
        name_thread(handle, name);
    }
    return real().pthread_setname_np(handle, name);
}
HEDDLE_EXPORT int prctl(int option, ...) noexcept {
    unsigned long arguments[4];
    va_list given;
    va_start(given, option);
    for (unsigned long& argument : arguments) argument = va_arg(given, unsigned long);
    va_end(given);
    if (ThreadState* state = option == PR_SET_NAME ? recorded_thread() : nullptr; state != nullptr)
        state->set_name(reinterpret_cast<const char*>(arguments[0]));
    return real().prctl(option, arguments[0], arguments[1], arguments[2], arguments[3]);
}
