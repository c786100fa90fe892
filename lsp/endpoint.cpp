#include "lsp/endpoint.h"

#include <charconv>
#include <system_error>
#include <utility>

#include <boost/asio/ip/address.hpp>
#include <fmt/format.h>
#include <sys/un.h>

namespace heddle::lsp {

namespace {

constexpr std::string_view kUnix = "unix:";
constexpr std::string_view kTcp = "tcp:";
constexpr std::size_t kMaxPath = sizeof(sockaddr_un::sun_path) - 1;

Result<Endpoint> parse_unix(std::string_view path) {
    if (path.empty()) return fail("unix: needs the path of a socket, as in unix:/tmp/heddle.sock");
    if (path.find('\0') != std::string_view::npos) return fail("the path of a socket has no zero bytes");
    if (path.size() > kMaxPath) {
        return fail(fmt::format("the path of a socket has at most {} bytes, this one has {}: {}", kMaxPath,
                                path.size(), path));
    }
    return UnixEndpoint{std::string(path)};
}

Result<Endpoint> parse_tcp(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos)
        return fail(fmt::format("tcp:{} has no port: write tcp:127.0.0.1:PORT", text));
    std::string_view host = text.substr(0, colon);
    const std::string_view digits = text.substr(colon + 1);
    std::uint16_t port = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    if (problem != std::errc() || end != digits.data() + digits.size())
        return fail(fmt::format("\"{}\" is no port: a number from 0 to 65535", digits));
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    if (host == "localhost") host = "127.0.0.1";
    boost::system::error_code error;
    const auto address = boost::asio::ip::make_address(std::string(host), error);
    if (error) return fail(fmt::format("\"{}\" is no address: write tcp:127.0.0.1:PORT", host));
    if (!address.is_loopback()) {
        return fail(fmt::format(
            "{} can be reached from outside of this machine: only 127.0.0.1 and [::1] are allowed", host));
    }
    return TcpEndpoint{.address = address.to_string(), .port = port};
}

} // namespace

Result<Endpoint> parse_endpoint(std::string_view text) {
    if (text.starts_with(kUnix)) return parse_unix(text.substr(kUnix.size()));
    if (text.starts_with(kTcp)) return parse_tcp(text.substr(kTcp.size()));
    return fail(fmt::format("\"{}\" is neither unix:PATH nor tcp:127.0.0.1:PORT", text));
}

std::string to_text(const Endpoint& endpoint) {
    if (const auto* local = std::get_if<UnixEndpoint>(&endpoint)) return fmt::format("unix:{}", local->path);
    const auto& tcp = std::get<TcpEndpoint>(endpoint);
    const bool is_v6 = tcp.address.find(':') != std::string::npos;
    return is_v6 ? fmt::format("tcp:[{}]:{}", tcp.address, tcp.port)
                 : fmt::format("tcp:{}:{}", tcp.address, tcp.port);
}

} // namespace heddle::lsp
