// A lock for the recorder's own short critical sections. It never calls into the program's threading
// functions (they are interposed), works before any constructor ran, and can be reset after fork().
#pragma once

#include <atomic>

#include <sched.h>

namespace heddle::recorder {

class SpinLock {
  public:
    constexpr SpinLock() = default;

    void lock() noexcept {
        while (!try_lock()) wait();
    }
    [[nodiscard]] bool try_lock() noexcept {
        return !held_.load(std::memory_order_relaxed) && !held_.exchange(true, std::memory_order_acquire);
    }
    [[nodiscard]] bool is_held() const noexcept { return held_.load(std::memory_order_acquire); }
    void unlock() noexcept { held_.store(false, std::memory_order_release); }

    /// In the child of a fork() whose parent held the lock in some other thread.
    void reset() noexcept { held_.store(false, std::memory_order_relaxed); }

  private:
    void wait() const noexcept {
        for (unsigned spins = 0; held_.load(std::memory_order_relaxed); ++spins) {
            if (spins < kSpinsBeforeYield) {
                __builtin_ia32_pause();
            } else {
                ::sched_yield();
            }
        }
    }

    static constexpr unsigned kSpinsBeforeYield = 64;
    std::atomic<bool> held_{false};
};

} // namespace heddle::recorder
