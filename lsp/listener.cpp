#include "lsp/socket.h"
#include "lsp/socket_file.h"
#include "lsp/socket_transport.h"

#include <chrono>
#include <optional>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fmt/format.h>
#include <unistd.h>

namespace heddle::lsp {

namespace {

namespace asio = boost::asio;

/// When descriptors ran out: long enough not to spin, short enough to wait for.
constexpr std::chrono::milliseconds kPause{100};

/// What the accept that is under way keeps alive.
template<typename Protocol>
struct Accepting : std::enable_shared_from_this<Accepting<Protocol>> {
    typename Protocol::acceptor acceptor;
    asio::steady_timer pause;
    Endpoint endpoint;
    Listener::OnAccept on_accept;
    Log log;
    bool failing = false;

    Accepting(asio::io_context& loop, Listener::OnAccept handler, Log to_log)
        : acceptor(loop), pause(loop), on_accept(std::move(handler)), log(std::move(to_log)) {}

    void next() {
        acceptor.async_accept([self = this->shared_from_this()](const boost::system::error_code& error,
                                                                typename Protocol::socket socket) {
            if (!self->acceptor.is_open()) return;
            if (error) return self->wait(error.message());
            self->failing = false;
            self->on_accept(
                std::make_unique<SocketTransport<Protocol>>(std::move(socket), to_text(self->endpoint)));
            if (self->acceptor.is_open()) self->next();
        });
    }

    void wait(const std::string& problem) {
        if (!std::exchange(failing, true) && log) {
            log(LogLevel::error,
                fmt::format("{}: cannot accept a client for now: {}", to_text(endpoint), problem));
        }
        pause.expires_after(kPause);
        pause.async_wait([self = this->shared_from_this()](const boost::system::error_code& error) {
            if (!error && self->acceptor.is_open()) self->next();
        });
    }

    void close() {
        boost::system::error_code ignored;
        acceptor.close(ignored);
        pause.cancel();
    }
};

template<typename Protocol>
class SocketListener : public Listener {
  public:
    SocketListener(std::shared_ptr<Accepting<Protocol>> accepting, std::optional<SocketFile> file)
        : accepting_(std::move(accepting)), file_(std::move(file)) {
        accepting_->next();
    }
    SocketListener(const SocketListener&) = delete;
    SocketListener& operator=(const SocketListener&) = delete;
    SocketListener(SocketListener&&) = delete;
    SocketListener& operator=(SocketListener&&) = delete;
    ~SocketListener() override { finish(); }

    [[nodiscard]] Endpoint endpoint() const override { return accepting_->endpoint; }
    void close() override { finish(); }

  private:
    void finish() {
        accepting_->close();
        if (file_) file_->remove();
        file_.reset();
    }

    std::shared_ptr<Accepting<Protocol>> accepting_;
    std::optional<SocketFile> file_;
};

Result<std::unique_ptr<Listener>> listen_on(asio::io_context& loop, const UnixEndpoint& endpoint,
                                            Listener::OnAccept on_accept, Log log) {
    using Protocol = asio::local::stream_protocol;
    auto file = SocketFile::make(endpoint.path);
    if (!file) return tl::make_unexpected(file.error());
    auto accepting = std::make_shared<Accepting<Protocol>>(loop, std::move(on_accept), std::move(log));
    accepting->endpoint = endpoint;
    boost::system::error_code error;
    accepting->acceptor.assign(Protocol(), file->descriptor(), error);
    if (error) {
        ::close(file->descriptor());
        file->remove();
        return fail(fmt::format("{}: {}", endpoint.path, error.message()));
    }
    return std::make_unique<SocketListener<Protocol>>(std::move(accepting), std::move(*file));
}

Result<std::unique_ptr<Listener>> listen_on(asio::io_context& loop, const TcpEndpoint& endpoint,
                                            Listener::OnAccept on_accept, Log log) {
    using Protocol = asio::ip::tcp;
    auto accepting = std::make_shared<Accepting<Protocol>>(loop, std::move(on_accept), std::move(log));
    auto& acceptor = accepting->acceptor;
    boost::system::error_code error;
    const auto address = asio::ip::make_address(endpoint.address, error);
    const Protocol::endpoint wanted(address, endpoint.port);
    if (!error) acceptor.open(wanted.protocol(), error);
    if (!error) acceptor.set_option(Protocol::acceptor::reuse_address(true), error);
    if (!error) acceptor.bind(wanted, error);
    if (!error) acceptor.listen(Protocol::acceptor::max_listen_connections, error);
    if (error) return fail(fmt::format("{}: {}", to_text(endpoint), error.message()));
    accepting->endpoint =
        TcpEndpoint{.address = endpoint.address, .port = acceptor.local_endpoint(error).port()};
    return std::make_unique<SocketListener<Protocol>>(std::move(accepting), std::nullopt);
}

} // namespace

Result<std::unique_ptr<Listener>> Listener::listen(asio::io_context& loop, const Endpoint& endpoint,
                                                   OnAccept on_accept, Log log) {
    // An endpoint may have been made by hand, and must not listen to the outside all the same.
    auto checked = parse_endpoint(to_text(endpoint));
    if (!checked) return tl::make_unexpected(checked.error());
    return std::visit(
        [&](const auto& kind) { return listen_on(loop, kind, std::move(on_accept), std::move(log)); },
        *checked);
}

} // namespace heddle::lsp
