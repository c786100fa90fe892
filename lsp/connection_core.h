// The workings of Connection: what its asynchronous operations and the Replies that are still owed keep
// alive, or notice to be gone. Internal; see connection.h for what it promises.
#pragma once

#include "lsp/connection.h"
#include "lsp/framing.h"
#include "lsp/outbox.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <system_error>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

namespace heddle::lsp {

class ConnectionCore : public std::enable_shared_from_this<ConnectionCore> {
  public:
    ConnectionCore(boost::asio::io_context& loop, std::unique_ptr<Transport> transport,
                   ConnectionOptions options);

    std::map<std::string, Connection::RequestHandler, std::less<>> request_handlers;
    std::map<std::string, Connection::NotificationHandler, std::less<>> notification_handlers;
    Connection::Gate gate;
    std::function<void(const CloseReason&)> close_handler;
    TraceValue trace = TraceValue::off;

    void set_stranger(bool is_one);
    void start() { read_more(); }
    RequestId request(std::string method, Json params, Connection::ResponseHandler handler);
    void send(std::string_view body);
    /// The answer to a request of the peer; nothing if it has been answered, or the peer is gone.
    void answer(const RequestId& id, Outcome outcome);
    void log_trace(std::string message, std::string verbose);

    void close(CloseReason reason);
    void close_when_written(CloseReason reason);
    /// The owner is gone: nothing is called any more.
    void abandon();

    void log(LogLevel level, std::string_view message) const;
    [[nodiscard]] bool is_open() const { return state_ != State::closed; }
    [[nodiscard]] std::size_t unanswered_requests() const { return unanswered_.size(); }
    [[nodiscard]] std::size_t queued_bytes() const { return outbox_.bytes(); }
    [[nodiscard]] std::string peer_name() const { return transport_->name(); }

  private:
    enum class State : std::uint8_t {
        open,
        leaving, ///< what is queued is still sent, nothing is read any more
        closed,
    };
    struct Unanswered {
        std::string method;
        std::stop_source stop;
        std::chrono::steady_clock::time_point since;
    };

    void read_more();
    void received(std::error_code error, std::size_t bytes);
    void handle_turn();
    void handle(std::string_view body);
    void handle(const Request& request);
    void handle(const Notification& notification);
    void handle(const Response& response);
    void cancel_request(const Json& params);
    void set_trace(const Json& params);
    [[nodiscard]] bool may_begin(const Request& request);
    void refuse(std::optional<RequestId> id, ResponseError error);
    void guarded(std::string_view method, const std::function<void()>& call);
    void write_some();
    void stop_requests();
    void settle_awaited(const RequestId& id, const Outcome& outcome);
    void fail_awaited();

    boost::asio::io_context& loop_;
    std::unique_ptr<Transport> transport_;
    ConnectionOptions options_;
    State state_ = State::open;
    CloseReason leaving_because_;
    boost::asio::steady_timer farewell_;
    boost::asio::steady_timer patience_; ///< with a stranger

    FrameReader reader_;
    std::array<char, std::size_t{64} << 10U> arrived_{};
    Outbox outbox_;

    std::map<RequestId, Unanswered> unanswered_;
    std::map<RequestId, Connection::ResponseHandler> awaited_;
    std::int64_t next_id_ = 1;
};

} // namespace heddle::lsp
