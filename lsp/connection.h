// One JSON-RPC peer: requests and notifications both ways over a transport.
//
// Everything here, handlers included, runs on the thread of the loop. A handler answers through its Reply,
// now or later. What the peer gets wrong is answered with the right error, logged, and survived:
//   bytes that are no frame or no JSON     ParseError, id null
//   JSON that is no message, a batch       InvalidRequest
//   a request that nobody handles          MethodNotFound (a notification is ignored)
//   a handler that throws                  InternalError
// Handled here: $/cancelRequest, $/setTrace. Limits (limits.h) bound what a peer can make us hold: one that
// does not read is disconnected.
//
// Destroying a Connection closes it and calls nothing any more; it must not happen inside a handler of the
// same connection. close() may be called anywhere.
#pragma once

#include "lsp/limits.h"
#include "lsp/log.h"
#include "lsp/message.h"
#include "lsp/reply.h"
#include "lsp/trace_value.h"
#include "lsp/transport.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace boost::asio {
class io_context;
}

namespace heddle::lsp {

enum class Closed : std::uint8_t {
    by_peer,     ///< the stream ended, or the connection broke
    by_us,       ///< close() was called
    slow_reader, ///< the peer did not read what was sent to it
};

struct CloseReason {
    Closed kind = Closed::by_us;
    std::string message;
};

struct ConnectionOptions {
    Limits limits;
    Log log;
};

class Connection {
  public:
    using RequestHandler = std::function<void(const Json& params, Reply reply)>;
    using NotificationHandler = std::function<void(const Json& params)>;
    using ResponseHandler = std::function<void(const Outcome& outcome)>;
    /// Asked before a request or notification is handled; an error refuses the one and drops the other.
    using Gate = std::function<std::optional<ResponseError>(std::string_view method)>;

    Connection(boost::asio::io_context& loop, std::unique_ptr<Transport> transport,
               ConnectionOptions options = {});
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    Connection(Connection&&) = delete;
    Connection& operator=(Connection&&) = delete;
    ~Connection();

    // Before start(); a later registration for the same method replaces the earlier one.
    void on_request(std::string method, RequestHandler handler);
    void on_notification(std::string method, NotificationHandler handler);
    void set_gate(Gate gate);
    /// Called once, from the loop, after the last message of the peer was handled.
    void on_close(std::function<void(const CloseReason&)> handler);

    /// A stranger may say and ask little, and not for long (Limits::max_stranger_bytes, stranger_patience).
    /// Nobody is one unless it is said here.
    void set_stranger(bool is_one);

    /// Begins to read.
    void start();

    /// The handler is called exactly once, from the loop: with the peer's answer, or with ConnectionClosed.
    RequestId request(std::string method, Json params, ResponseHandler handler);
    /// Tells the peer that the answer is no longer needed; it will still come.
    void cancel(const RequestId& id);
    void notify(std::string method, Json params);

    /// What is queued is not sent any more.
    void close(std::string why);
    /// Handles nothing more, sends what is queued (for Limits::farewell at most), then closes.
    void close_when_written(std::string why);
    [[nodiscard]] bool is_open() const;

    /// What the client wants to be told by $/logTrace; with `messages` each answered request, with its time.
    void set_trace(TraceValue trace);
    [[nodiscard]] TraceValue trace() const;
    void log_trace(std::string message, std::string verbose = {});

    /// To the log that the options brought.
    void report(LogLevel level, std::string_view message) const;
    [[nodiscard]] std::size_t unanswered_requests() const;
    [[nodiscard]] std::size_t queued_bytes() const;
    [[nodiscard]] std::string peer_name() const;

  private:
    std::shared_ptr<ConnectionCore> core_;
};

} // namespace heddle::lsp
