// Sockets that several peers may connect to, and the way to connect to one.
//
// A Unix socket is for its owner alone (mode 0600 from the first moment, whatever the umask). TCP is for
// the loopback interface alone, and as every user of the machine can reach it, a session over it has to
// begin with a token: give it to Lifecycle (lifecycle.h), make_token() makes one.
#pragma once

#include "lsp/endpoint.h"
#include "lsp/log.h"
#include "lsp/result.h"
#include "lsp/transport.h"

#include <functional>
#include <memory>
#include <string>

namespace boost::asio {
class io_context;
}

namespace heddle::lsp {

class Listener {
  public:
    using OnAccept = std::function<void(std::unique_ptr<Transport>)>;

    /// A socket file that nobody listens on any more is replaced; one that is in use, and a file that is
    /// no socket, are refused. Accepts until closed; running out of descriptors makes it wait, not end.
    [[nodiscard]] static Result<std::unique_ptr<Listener>>
    listen(boost::asio::io_context& loop, const Endpoint& endpoint, OnAccept on_accept, Log log = {});

    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    Listener(Listener&&) = delete;
    Listener& operator=(Listener&&) = delete;
    virtual ~Listener() = default; ///< closes

    /// With the port that was chosen.
    [[nodiscard]] virtual Endpoint endpoint() const = 0;
    /// Also removes the socket file, if it is still the one that was made.
    virtual void close() = 0;

  protected:
    Listener() = default;
};

/// Connects at once or not at all: the other end is on this machine.
[[nodiscard]] Result<std::unique_ptr<Transport>> connect(boost::asio::io_context& loop,
                                                         const Endpoint& endpoint);

/// 128 random bits from the system, in hexadecimal digits.
[[nodiscard]] Result<std::string> make_token();

} // namespace heddle::lsp
