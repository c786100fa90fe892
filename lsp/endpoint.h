// Where a daemon listens, as people write it: `unix:PATH` or `tcp:127.0.0.1:PORT`.
#pragma once

#include "lsp/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace heddle::lsp {

struct UnixEndpoint {
    std::string path;

    bool operator==(const UnixEndpoint&) const = default;
};

struct TcpEndpoint {
    std::string address;    ///< numeric, of the loopback interface: nobody else may reach a daemon
    std::uint16_t port = 0; ///< 0: any that is free

    bool operator==(const TcpEndpoint&) const = default;
};

using Endpoint = std::variant<UnixEndpoint, TcpEndpoint>;

/// Refuses paths that do not fit into a socket address (107 bytes), and addresses that are not loopback.
/// `localhost` is 127.0.0.1; an IPv6 address is written `tcp:[::1]:PORT`.
[[nodiscard]] Result<Endpoint> parse_endpoint(std::string_view text);

[[nodiscard]] std::string to_text(const Endpoint& endpoint);

} // namespace heddle::lsp
