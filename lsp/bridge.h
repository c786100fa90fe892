// Carries bytes between two transports, both ways and unread: an editor's stdio to a daemon's socket.
#pragma once

#include "lsp/transport.h"

#include <functional>
#include <memory>
#include <string>

namespace heddle::lsp {

/// When the client ends, the end is passed on, and what the server still has to say is delivered. Done when
/// the server ends or something fails, with what failed (empty: nothing). Holds at most 64 KiB for each
/// direction, so that a slow reader slows down its writer.
void bridge(std::unique_ptr<Transport> client, std::unique_ptr<Transport> server,
            std::function<void(std::string failure)> done);

} // namespace heddle::lsp
