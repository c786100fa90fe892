// Something that is said if what is awaited takes too long: from a thread of its own, so that whoever does the
// work need not look at the clock.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

namespace heddle::service {

class LateWord {
  public:
    using Clock = std::chrono::steady_clock;

    /// `say` is called once, at the time that is due, or at once if that is past.
    LateWord(Clock::time_point due, std::function<void()> say)
        : thread_([this, due, say = std::move(say)](const std::stop_token& withdrawn) {
              std::unique_lock lock(mutex_);
              clock_.wait_until(lock, withdrawn, due, [] { return false; });
              if (withdrawn.stop_requested()) return;
              say();
              said_ = true;
          }) {}

    /// It is not needed any more. Tells whether it was said; if not, it never will be.
    bool withdraw() {
        thread_.request_stop();
        if (thread_.joinable()) thread_.join();
        return said_;
    }

  private:
    std::mutex mutex_;
    std::condition_variable_any clock_;
    bool said_ = false; ///< of the thread until it is joined
    std::jthread thread_;
};

} // namespace heddle::service
