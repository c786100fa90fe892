// A transport over two descriptors, as a rule those of standard input and output: pipes, terminals, socket
// pairs, and regular files too (a recorded conversation).
#pragma once

#include "lsp/result.h"
#include "lsp/transport.h"

#include <memory>

namespace boost::asio {
class io_context;
}

namespace heddle::lsp {

/// Neither descriptor is owned: both are duplicated. While the transport lives they are in non-blocking
/// mode, which whoever shares them sees; close() restores it. SIGPIPE is ignored from here on, unless the
/// program has a handler for it: Asio writes to pipes without a way to suppress the signal.
[[nodiscard]] Result<std::unique_ptr<Transport>> descriptor_transport(boost::asio::io_context& loop,
                                                                      int input, int output);

/// Over descriptors 0 and 1.
[[nodiscard]] Result<std::unique_ptr<Transport>> stdio_transport(boost::asio::io_context& loop);

} // namespace heddle::lsp
