// Waiting for a condition: the same for pthread's condition variables and C11's.
#pragma once

#include "traces/recorder/locks.h"
#include "traces/recorder/wake_ups.h"

namespace heddle::recorder {

/// One wait, from before the mutex is given up until after it is held again. A cancelled thread leaves the
/// real wait by unwinding, with the mutex held: the destructor tells that as well.
class RecordedWait {
  public:
    RecordedWait(ThreadState* state, const void* condition, const void* mutex, Address place) noexcept
        : state_(state), place_(place) {
        if (state_ == nullptr) return;
        const Inside inside(*state_);
        mutex_ = object_key(*state_, address_of(mutex));
        wait_ = begin_wait(*state_, object_key(*state_, address_of(condition)), place);
        depth_ = state_->held.release_all(mutex_);
        if (depth_ > 0) record_synchronisation(*state_, EventKind::release, mutex_, place);
        state_->blocked.store(true, std::memory_order_release);
    }
    ~RecordedWait() {
        if (state_ == nullptr) return;
        unblock(*state_);
        const Inside inside(*state_);
        const std::optional<std::uint64_t> ticket = end_wait(wait_, !woken_);
        if (depth_ > 0) {
            state_->held.acquire_again(mutex_, depth_);
            record_synchronisation(*state_, EventKind::acquire, mutex_, place_);
        }
        record_synchronisation(*state_, EventKind::wait_post, wait_.condition, place_, ticket);
    }
    RecordedWait(const RecordedWait&) = delete;
    RecordedWait& operator=(const RecordedWait&) = delete;

    /// The real wait ended, and not because its time was over.
    void woken() noexcept { woken_ = true; }

  private:
    ThreadState* state_;
    Address place_;
    ObjectKey mutex_;
    std::uint32_t depth_ = 0;
    Wait wait_{};
    bool woken_ = false;
};

/// `sure`: the wait has no end in time.
template<typename RealWait>
int wait_for(const void* condition, const void* mutex, Sure sure, Address place, int success,
             RealWait&& wait) {
    ThreadState* state = synchronising_thread();
    RecordedWait recorded(state, condition, mutex, place);
    const bool waited = state == nullptr && replay::waits_instead(condition, mutex, sure, place);
    const int result = waited ? success : wait();
    if (state == nullptr) replay::woke(mutex, place);
    if (result == success) recorded.woken();
    return result;
}

inline void notified(const void* condition, bool all, Address place) noexcept {
    ThreadState* state = synchronising_thread();
    if (state == nullptr) {
        replay::arrive(Operation::notify, condition, place);
        return replay::happened(Operation::notify, condition, place);
    }
    const Inside inside(*state);
    notify(*state, object_key(*state, address_of(condition)), all, place);
}

} // namespace heddle::recorder
