#include "daemon/watch/delayed_looks.h"

#include <utility>

namespace heddle::watch {

DelayedLooks::DelayedLooks(boost::asio::io_context& io)
    : timer_(io), self_(std::make_shared<DelayedLooks*>(this)) {}

void DelayedLooks::at(Clock::time_point due, std::function<void()> look) {
    const auto placed = looks_.emplace(due, std::move(look));
    if (placed == looks_.begin()) arm();
}

void DelayedLooks::arm() {
    timer_.expires_at(looks_.begin()->first);
    timer_.async_wait([weak = std::weak_ptr(self_)](const boost::system::error_code& error) {
        const auto self = weak.lock();
        if (self && !error) (*self)->run_due();
    });
}

void DelayedLooks::run_due() {
    // Those that are due by now, and not what they ask for themselves: others on the loop have their turn.
    std::multimap<Clock::time_point, std::function<void()>> due;
    const auto end = looks_.upper_bound(Clock::now());
    while (looks_.begin() != end) due.insert(looks_.extract(looks_.begin()));
    for (const auto& [time, look] : due) look();
    if (!looks_.empty()) arm();
}

} // namespace heddle::watch
