#include "lsp/process_watch.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <sys/syscall.h>
#include <unistd.h>

namespace heddle::lsp {

namespace {

namespace asio = boost::asio;

constexpr std::chrono::seconds kLookEvery{2};

/// Another user's process, which may not be signalled, is alive as well.
bool is_alive(pid_t process) {
    return ::kill(process, 0) == 0 || errno == EPERM;
}

} // namespace

struct ProcessWatch::State : std::enable_shared_from_this<State> {
    pid_t process;
    std::function<void()> on_death;
    asio::posix::stream_descriptor descriptor;
    asio::steady_timer timer;

    State(asio::io_context& loop, pid_t id, std::function<void()> handler)
        : process(id), on_death(std::move(handler)), descriptor(loop), timer(loop) {}

    void start(asio::io_context& loop) {
        const auto opened = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
        if (opened < 0 && errno == ESRCH)
            return asio::post(loop, [self = shared_from_this()] { self->died(); });
        boost::system::error_code error;
        if (opened >= 0) descriptor.assign(opened, error);
        if (opened < 0 || error) {
            if (opened >= 0) ::close(opened);
            return look_again();
        }
        descriptor.async_wait(asio::posix::stream_descriptor::wait_read,
                              [self = shared_from_this()](const boost::system::error_code& aborted) {
                                  if (!aborted) self->died();
                              });
    }

    void look_again() {
        timer.expires_after(kLookEvery);
        timer.async_wait([self = shared_from_this()](const boost::system::error_code& aborted) {
            if (aborted) return;
            if (is_alive(self->process)) return self->look_again();
            self->died();
        });
    }

    void died() {
        if (const auto handler = std::exchange(on_death, {})) handler();
    }
};

ProcessWatch::ProcessWatch(asio::io_context& loop, std::int32_t process_id, std::function<void()> on_death)
    : state_(std::make_shared<State>(loop, process_id, std::move(on_death))) {
    state_->start(loop);
}

ProcessWatch::~ProcessWatch() {
    state_->on_death = {};
    boost::system::error_code ignored;
    state_->descriptor.close(ignored);
    state_->timer.cancel();
}

} // namespace heddle::lsp
