// The daemon as a program: one client on standard input and output, or any number on a socket.
#pragma once

#include "daemon/service/hub.h"
#include "lsp/endpoint.h"
#include "lsp/result.h"

#include <functional>
#include <optional>
#include <string>

namespace heddle::service {

/// Until the client leaves; the exit code that LSP demands.
[[nodiscard]] int serve_stdio(HubOptions options);

struct ListenOptions {
    lsp::Endpoint endpoint;
    std::string token; ///< what clients must present over TCP; one is made if it is empty
    /// Once clients can connect.
    std::function<void(const lsp::Endpoint& endpoint, const std::string& token)> ready;
};

/// Until somebody asks it to stop (SIGTERM, SIGINT, `heddle stop`).
[[nodiscard]] lsp::Result<void> serve_socket(HubOptions options, const ListenOptions& listen);

} // namespace heddle::service
