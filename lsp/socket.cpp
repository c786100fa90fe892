#include "lsp/socket.h"

#include "lsp/socket_transport.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <fmt/format.h>
#include <sys/random.h>

namespace heddle::lsp {

namespace {

namespace asio = boost::asio;

template<typename Protocol>
Result<std::unique_ptr<Transport>>
connect_to(asio::io_context& loop, const typename Protocol::endpoint& address, const Endpoint& endpoint) {
    typename Protocol::socket socket(loop);
    boost::system::error_code error;
    socket.connect(address, error);
    if (error) return fail(fmt::format("{}: {}", to_text(endpoint), error.message()));
    return std::make_unique<SocketTransport<Protocol>>(std::move(socket), to_text(endpoint));
}

} // namespace

Result<std::unique_ptr<Transport>> connect(asio::io_context& loop, const Endpoint& endpoint) {
    // An endpoint may have been made by hand: what parse_endpoint refuses, Asio would throw on.
    auto checked = parse_endpoint(to_text(endpoint));
    if (!checked) return tl::make_unexpected(checked.error());
    if (const auto* local = std::get_if<UnixEndpoint>(&endpoint))
        return connect_to<asio::local::stream_protocol>(loop, {local->path}, endpoint);
    const auto& tcp = std::get<TcpEndpoint>(endpoint);
    boost::system::error_code ignored;
    return connect_to<asio::ip::tcp>(loop, {asio::ip::make_address(tcp.address, ignored), tcp.port},
                                     endpoint);
}

Result<std::string> make_token() {
    std::array<std::uint8_t, 16> bytes{};
    if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        return fail(fmt::format("no random numbers: {}", std::generic_category().message(errno)));
    std::string token;
    for (const std::uint8_t byte : bytes) token += fmt::format("{:02x}", byte);
    return token;
}

} // namespace heddle::lsp
