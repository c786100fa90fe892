#include "traces/recorder/conditions.h"

#include "traces/recorder/locks.h"

#include <cerrno>

namespace heddle::recorder {

namespace {

// In the C library's __wrefs.
constexpr unsigned kSharedByProcesses = 1;
constexpr unsigned kMonotonicClock = 2;

clockid_t clock_of(const pthread_cond_t& condition, const Deadline& deadline) noexcept {
    const clockid_t own =
        (condition.__data.__wrefs & kMonotonicClock) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
    return deadline.clock.value_or(own);
}

int really_wait(pthread_cond_t* condition, pthread_mutex_t* mutex, const Deadline& deadline) {
    if (deadline.time == nullptr) return real().pthread_cond_wait(condition, mutex);
    if (deadline.clock)
        return real().pthread_cond_clockwait(condition, mutex, *deadline.clock, deadline.time);
    return real().pthread_cond_timedwait(condition, mutex, deadline.time);
}

/// Whether the C library has to do the waiting: other processes may notify, or it is to say what is wrong.
bool waits_outside(const pthread_cond_t& condition, const Deadline& deadline) noexcept {
    constexpr long kSecond = 1'000'000'000;
    if ((condition.__data.__wrefs & kSharedByProcesses) != 0) return true;
    if (deadline.time == nullptr) return false;
    const clockid_t clock = clock_of(condition, deadline);
    return (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) || deadline.time->tv_nsec < 0 ||
           deadline.time->tv_nsec >= kSecond;
}

/// One wait, from before the mutex is given up until after it is held again. A cancelled thread leaves it by
/// unwinding, with the mutex held: the destructor sees to that as well.
class RecordedWait {
  public:
    RecordedWait(ThreadState& state, pthread_cond_t* condition, pthread_mutex_t* mutex, bool outside,
                 Address place) noexcept
        : state_(state), condition_(condition), mutex_(mutex), place_(place) {
        const Inside inside(state_);
        mutex_key_ = object_key(state_, address_of(mutex));
        condition_key_ = object_key(state_, address_of(condition));
        state_.waiter.sleeps_outside = outside;
        begin_wait(state_, state_.waiter, condition_key_, place);
        depth_ = state_.held.release_all(mutex_key_);
        if (depth_ > 0) record_synchronisation(state_, EventKind::release, mutex_key_, place);
        state_.blocked.store(true, std::memory_order_release);
    }
    ~RecordedWait() {
        if (!over_) finish(Leaving::cancelled);
    }
    RecordedWait(const RecordedWait&) = delete;
    RecordedWait& operator=(const RecordedWait&) = delete;

    int wait_outside(const Deadline& deadline) {
        const int result = really_wait(condition_, mutex_, deadline);
        finish(Leaving::of_itself, result == 0);
        return result;
    }
    int wait(const Deadline& deadline) {
        if (const int result = real().pthread_mutex_unlock(mutex_); result != 0) {
            finish(Leaving::of_itself);
            return result;
        }
        gave_up_ = true;
        const int error = errno;
        sleep_until_notified(state_.waiter, clock_of(*condition_, deadline), deadline.time);
        errno = error;
        const bool notified = finish(Leaving::of_itself);
        return locked_ != 0 ? locked_ : notified ? 0 : ETIMEDOUT;
    }

  private:
    /// Whether a notify ended the wait. `woken`: the wait may have been ended by one.
    bool finish(Leaving leaving, bool woken = true) noexcept {
        over_ = true;
        const std::optional<std::uint64_t> ticket = end_wait(state_.waiter, condition_, leaving);
        if (gave_up_) locked_ = lock_again();
        unblock(state_);
        const Inside inside(state_);
        if (depth_ > 0 && (locked_ == 0 || locked_ == EOWNERDEAD)) {
            state_.held.acquire_again(mutex_key_, depth_);
            record_synchronisation(state_, EventKind::acquire, mutex_key_, place_);
        }
        const bool told = woken && ticket.value_or(0) != 0;
        record_synchronisation(state_, EventKind::wait_post, condition_key_, place_,
                               told ? ticket : std::nullopt);
        return ticket.has_value();
    }
    int lock_again() noexcept {
        const int result = acquire_soon([&] { return real().pthread_mutex_trylock(mutex_); });
        return result == EBUSY ? real().pthread_mutex_lock(mutex_) : result;
    }

    ThreadState& state_;
    pthread_cond_t* condition_;
    pthread_mutex_t* mutex_;
    Address place_;
    ObjectKey mutex_key_;
    ObjectKey condition_key_;
    std::uint32_t depth_ = 0;
    bool gave_up_ = false; ///< the mutex, and not to the C library
    bool over_ = false;
    int locked_ = 0; ///< the result of taking the mutex again
};

} // namespace

int wait_for_condition(pthread_cond_t* condition, pthread_mutex_t* mutex, const Deadline& deadline,
                       Address place) {
    if (ThreadState* state = synchronising_thread(); state != nullptr) {
        const bool outside = waits_outside(*condition, deadline);
        RecordedWait wait(*state, condition, mutex, outside, place);
        return outside ? wait.wait_outside(deadline) : wait.wait(deadline);
    }
    const Sure sure = deadline.time == nullptr ? Sure::yes : Sure::no;
    const bool waited = replay::waits_instead(condition, mutex, sure, place);
    const int result = waited ? 0 : really_wait(condition, mutex, deadline);
    replay::woke(mutex, place);
    return result;
}

int notify_condition(pthread_cond_t* condition, bool all, Address place) noexcept {
    RealNotify more = RealNotify::needed;
    if (ThreadState* state = synchronising_thread(); state != nullptr) {
        const Inside inside(*state);
        more = notify(*state, object_key(*state, address_of(condition)), all, place);
    } else {
        replay::arrive(Operation::notify, condition, place);
        replay::happened(Operation::notify, condition, place);
        more = notify_unrecorded(condition, all);
    }
    if (more == RealNotify::not_needed) return 0;
    return all ? real().pthread_cond_broadcast(condition) : real().pthread_cond_signal(condition);
}

} // namespace heddle::recorder
