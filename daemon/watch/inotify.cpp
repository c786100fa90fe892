#include "daemon/watch/inotify.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <sys/inotify.h>
#include <unistd.h>

namespace heddle::watch {

namespace {

/// Some hundred events: what is handled before others on the loop have their turn.
constexpr std::size_t kReadBytes = 16 * 1024;

} // namespace

Inotify::Watch::Watch(Watch&& other) noexcept
    : owner_(std::move(other.owner_)), descriptor_(std::exchange(other.descriptor_, -1)),
      number_(other.number_) {}

Inotify::Watch& Inotify::Watch::operator=(Watch&& other) noexcept {
    if (this == &other) return *this;
    drop();
    owner_ = std::move(other.owner_);
    descriptor_ = std::exchange(other.descriptor_, -1);
    number_ = other.number_;
    return *this;
}

void Inotify::Watch::drop() {
    if (const auto owner = owner_.lock()) (*owner)->remove(descriptor_, number_);
    owner_.reset();
}

Inotify::Inotify(boost::asio::io_context& io, std::size_t max_watches, std::function<void()> on_overflow)
    : stream_(io), max_watches_(max_watches), on_overflow_(std::move(on_overflow)),
      self_(std::make_shared<Inotify*>(this)) {
    const int descriptor = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (descriptor < 0) {
        failure_ = errno;
        return;
    }
    boost::system::error_code error;
    stream_.assign(descriptor, error);
    if (error) {
        ::close(descriptor);
        failure_ = EMFILE;
        return;
    }
    wait();
}

Inotify::~Inotify() = default;

int Inotify::add(const std::string& path, std::uint32_t mask, Handler handler, Watch& watch) {
    if (failure_ != 0) return failure_;
    const int descriptor = ::inotify_add_watch(stream_.native_handle(), path.c_str(), mask | IN_MASK_ADD);
    if (descriptor < 0) return errno;
    if (askers_.size() >= max_watches_ && !askers_.contains(descriptor)) {
        ::inotify_rm_watch(stream_.native_handle(), descriptor);
        return ENOSPC;
    }
    Watch added;
    added.owner_ = self_;
    added.descriptor_ = descriptor;
    added.number_ = ++last_number_;
    askers_[descriptor].push_back(
        {.number = added.number_, .mask = mask, .handler = std::make_shared<Handler>(std::move(handler))});
    watch = std::move(added);
    return 0;
}

void Inotify::remove(int descriptor, std::uint64_t number) {
    const auto found = askers_.find(descriptor);
    if (found == askers_.end()) return;
    std::erase_if(found->second, [&](const Asker& asker) { return asker.number == number; });
    if (!found->second.empty()) return;
    askers_.erase(found);
    ::inotify_rm_watch(stream_.native_handle(), descriptor);
}

void Inotify::wait() {
    stream_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                       [weak = std::weak_ptr(self_)](const boost::system::error_code& error) {
                           const auto self = weak.lock();
                           if (self && !error) (*self)->read_some();
                       });
}

void Inotify::read_some() {
    alignas(inotify_event) std::array<char, kReadBytes> bytes{};
    const ssize_t length = ::read(stream_.native_handle(), bytes.data(), bytes.size());
    wait();
    for (std::size_t at = 0; length > 0 && at < static_cast<std::size_t>(length);) {
        inotify_event event{};
        std::memcpy(&event, bytes.data() + at, sizeof event);
        // The name is padded with zeros.
        const char* const name = bytes.data() + at + sizeof event;
        dispatch(event.wd, {.mask = event.mask, .name = {name, ::strnlen(name, event.len)}});
        at += sizeof event + event.len;
    }
}

void Inotify::dispatch(int descriptor, const InotifyEvent& event) {
    if ((event.mask & IN_Q_OVERFLOW) != 0) return on_overflow_();
    const auto found = askers_.find(descriptor);
    if (found == askers_.end()) return;
    if ((event.mask & IN_IGNORED) != 0) {
        askers_.erase(found); // what was watched is gone, and the kernel's watch with it
        return;
    }
    // A handler may drop other watches, even all of them.
    const std::vector<Asker> asked = found->second;
    for (const Asker& asker : asked) {
        const auto now = askers_.find(descriptor);
        if (now == askers_.end()) return;
        const bool still = std::any_of(now->second.begin(), now->second.end(),
                                       [&](const Asker& other) { return other.number == asker.number; });
        if (still && (event.mask & (asker.mask | IN_UNMOUNT)) != 0) (*asker.handler)(event);
    }
}

} // namespace heddle::watch
