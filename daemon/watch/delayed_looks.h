// Calls functions at given times on an event loop. No timer runs while nothing is due.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

namespace heddle::watch {

class DelayedLooks {
  public:
    using Clock = std::chrono::steady_clock;

    explicit DelayedLooks(boost::asio::io_context& io);
    ~DelayedLooks() = default;
    DelayedLooks(const DelayedLooks&) = delete;
    DelayedLooks& operator=(const DelayedLooks&) = delete;
    DelayedLooks(DelayedLooks&&) = delete;
    DelayedLooks& operator=(DelayedLooks&&) = delete;

    /// Not before this returns, even if the time has come. What is left at the end of this is never called.
    void at(Clock::time_point due, std::function<void()> look);

  private:
    void arm();
    void run_due();

    boost::asio::steady_timer timer_;
    std::multimap<Clock::time_point, std::function<void()>> looks_;
    std::shared_ptr<DelayedLooks*> self_; ///< for handlers that outlive this
};

} // namespace heddle::watch
