// The daemon that all editors of a user share, seen from outside.
#pragma once

#include "lsp/endpoint.h"
#include "lsp/result.h"

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace heddle::cli {

/// `text` as an endpoint, or when it is empty the usual place: a socket in the user's runtime folder.
[[nodiscard]] lsp::Result<lsp::Endpoint> daemon_endpoint(const std::string& text);

/// Carries standard input and output to the daemon and back until either ends. Starts the daemon when there
/// is none.
[[nodiscard]] lsp::Result<void> bridge_to_daemon(const std::string& text);

/// Asks a running daemon one question; an error when there is none.
[[nodiscard]] lsp::Result<nlohmann::json> ask_daemon(const std::string& text, const std::string& method);

} // namespace heddle::cli
