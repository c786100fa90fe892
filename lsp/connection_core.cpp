#include "lsp/connection_core.h"

#include <exception>
#include <utility>

#include <boost/asio/post.hpp>
#include <fmt/format.h>

namespace heddle::lsp {

ConnectionCore::ConnectionCore(boost::asio::io_context& loop, std::unique_ptr<Transport> transport,
                               ConnectionOptions options)
    : loop_(loop), transport_(std::move(transport)), options_(std::move(options)), farewell_(loop),
      patience_(loop), reader_(options_.limits.framing),
      outbox_(*transport_, options_.limits.max_queued_bytes) {}

void ConnectionCore::log(LogLevel level, std::string_view message) const {
    if (options_.log) options_.log(level, fmt::format("{}: {}", transport_->name(), message));
}

void ConnectionCore::set_stranger(bool is_one) {
    const Limits& limits = options_.limits;
    reader_.limit_body(is_one ? limits.max_stranger_bytes : limits.framing.max_body_bytes);
    outbox_.limit(is_one ? limits.max_stranger_bytes : limits.max_queued_bytes);
    patience_.cancel();
    if (!is_one) return;
    patience_.expires_after(limits.stranger_patience);
    patience_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
        const auto self = weak.lock();
        if (self && !error) self->close({Closed::by_us, "disconnected: it did not say who it is"});
    });
}

// --- reading -----------------------------------------------------------------------------------------------

void ConnectionCore::read_more() {
    transport_->read_some(arrived_, [self = shared_from_this()](std::error_code error, std::size_t bytes) {
        self->received(error, bytes);
    });
}

void ConnectionCore::received(std::error_code error, std::size_t bytes) {
    if (state_ != State::open) return;
    if (error) return close({Closed::by_peer, fmt::format("the connection broke: {}", error.message())});
    if (bytes == 0) {
        if (const auto missing = reader_.finish()) log(LogLevel::warning, missing->message);
        // A peer that only finished writing still reads what it asked for.
        return close_when_written({Closed::by_peer, "the client closed the connection"});
    }
    reader_.feed({arrived_.data(), bytes});
    handle_turn();
}

void ConnectionCore::handle_turn() {
    for (std::size_t i = 0; i < options_.limits.max_messages_per_turn; ++i) {
        if (state_ != State::open) return;
        const auto frame = reader_.next();
        if (!frame) return read_more();
        if (frame->has_value()) {
            handle(**frame);
        } else {
            log(LogLevel::warning, frame->error().message);
            refuse(std::nullopt, response_error(ErrorCode::parse_error, frame->error().message));
        }
    }
    boost::asio::post(loop_, [self = shared_from_this()] { self->handle_turn(); });
}

// --- dispatch ----------------------------------------------------------------------------------------------

void ConnectionCore::handle(std::string_view body) {
    const auto message = parse_message(body, options_.limits.json);
    if (message) return std::visit([this](const auto& value) { handle(value); }, *message);
    const BadMessage& bad = message.error();
    log(LogLevel::warning, fmt::format("not a message: {}", bad.error.message));
    if (bad.answerable) refuse(bad.id, bad.error);
}

bool ConnectionCore::may_begin(const Request& request) {
    if (unanswered_.contains(request.id)) {
        refuse(request.id,
               response_error(ErrorCode::invalid_request,
                              fmt::format("the request {} is still being answered", to_text(request.id))));
        return false;
    }
    if (unanswered_.size() >= options_.limits.max_unanswered_requests) {
        refuse(request.id, response_error(ErrorCode::server_cancelled, "too many requests at once"));
        return false;
    }
    if (!gate) return true;
    auto refused = gate(request.method);
    if (refused) refuse(request.id, std::move(*refused));
    return !refused;
}

void ConnectionCore::handle(const Request& request) {
    if (!may_begin(request)) return;
    const auto handler = request_handlers.find(request.method);
    if (handler == request_handlers.end()) {
        return refuse(request.id, response_error(ErrorCode::method_not_found,
                                                 fmt::format("{} is not known here", request.method)));
    }
    const auto [entry, _] = unanswered_.try_emplace(
        request.id,
        Unanswered{.method = request.method, .stop = {}, .since = std::chrono::steady_clock::now()});
    const std::stop_token stop = entry->second.stop.get_token();
    guarded(request.method, [&] {
        handler->second(request.params, Reply(weak_from_this(), request.id, request.method, stop));
    });
}

void ConnectionCore::handle(const Notification& notification) {
    if (notification.method == "$/cancelRequest") return cancel_request(notification.params);
    if (notification.method == "$/setTrace") return set_trace(notification.params);
    if (gate) {
        if (const auto refused = gate(notification.method)) {
            return log(LogLevel::info, fmt::format("{} ignored: {}", notification.method, refused->message));
        }
    }
    const auto handler = notification_handlers.find(notification.method);
    if (handler == notification_handlers.end())
        return log(LogLevel::debug, fmt::format("{} ignored: not known here", notification.method));
    guarded(notification.method, [&] { handler->second(notification.params); });
}

void ConnectionCore::handle(const Response& response) {
    if (!response.id) {
        return log(LogLevel::warning, fmt::format("the client could not read a message: {}",
                                                  response.outcome ? "" : response.outcome.error().message));
    }
    if (!awaited_.contains(*response.id))
        return log(LogLevel::warning, fmt::format("a response to no request: {}", to_text(*response.id)));
    settle_awaited(*response.id, response.outcome);
}

/// Handlers may throw; the connection goes on, and a Reply that was lost in the throw has answered.
void ConnectionCore::guarded(std::string_view method, const std::function<void()>& call) {
    try {
        call();
    } catch (const std::exception& error) {
        log(LogLevel::error, fmt::format("the handler of {} failed: {}", method, error.what()));
    }
}

void ConnectionCore::cancel_request(const Json& params) {
    const auto id = params.is_object() ? params.find("id") : params.end();
    if (id == params.end()) return;
    const auto entry = id->is_string()           ? unanswered_.find(id->get<std::string>())
                       : id->is_number_integer() ? unanswered_.find(id->get<std::int64_t>())
                                                 : unanswered_.end();
    if (entry == unanswered_.end()) return; // answered by now, as a rule
    // What the stop calls may answer, and so remove the entry.
    std::stop_source stop = entry->second.stop;
    stop.request_stop();
}

void ConnectionCore::set_trace(const Json& params) {
    const auto value = params.is_object() ? params.find("value") : params.end();
    if (value == params.end() || !value->is_string()) return;
    trace = trace_value(value->get<std::string>()).value_or(trace);
}

// --- sending -----------------------------------------------------------------------------------------------

void ConnectionCore::send(std::string_view body) {
    if (state_ == State::closed) return;
    if (!outbox_.push(body)) {
        return close(
            {Closed::slow_reader,
             fmt::format("disconnected: {} bytes wait for a client that does not read", outbox_.bytes())});
    }
    write_some();
}

void ConnectionCore::write_some() {
    outbox_.flush([self = shared_from_this()](std::error_code error, std::size_t) {
        self->outbox_.written();
        if (self->state_ == State::closed) return;
        if (error)
            return self->close({Closed::by_peer, fmt::format("the connection broke: {}", error.message())});
        if (self->outbox_.bytes() > 0) return self->write_some();
        if (self->state_ == State::leaving) self->close(self->leaving_because_);
    });
}

void ConnectionCore::refuse(std::optional<RequestId> id, ResponseError error) {
    send(serialise(Response{.id = std::move(id), .outcome = tl::make_unexpected(std::move(error))}));
}

void ConnectionCore::answer(const RequestId& id, Outcome outcome) {
    const auto entry = unanswered_.find(id);
    if (entry == unanswered_.end()) return;
    const Unanswered request = std::move(entry->second);
    unanswered_.erase(entry);
    if (trace != TraceValue::off) {
        const std::chrono::duration<double, std::milli> took =
            std::chrono::steady_clock::now() - request.since;
        log_trace(fmt::format("{} ({}) answered in {:.1f} ms", request.method, to_text(id), took.count()),
                  outcome ? std::string()
                          : fmt::format("error {}: {}", outcome.error().code, outcome.error().message));
    }
    send(serialise(Response{.id = id, .outcome = std::move(outcome)}));
}

RequestId ConnectionCore::request(std::string method, Json params, Connection::ResponseHandler handler) {
    const RequestId id = next_id_++;
    const bool too_many = awaited_.size() >= options_.limits.max_awaited_responses;
    awaited_.try_emplace(id, std::move(handler));
    if (state_ == State::open && !too_many) {
        send(serialise(Request{.id = id, .method = std::move(method), .params = std::move(params)}));
        return id;
    }
    boost::asio::post(loop_, [self = shared_from_this(), id, too_many] {
        self->settle_awaited(id, tl::make_unexpected(response_error(
                                     ErrorCode::connection_closed,
                                     too_many ? "too many requests are unanswered" : "the client is gone")));
    });
    return id;
}

void ConnectionCore::settle_awaited(const RequestId& id, const Outcome& outcome) {
    const auto entry = awaited_.find(id);
    if (entry == awaited_.end()) return;
    const auto handler = std::move(entry->second);
    awaited_.erase(entry);
    guarded("a response", [&] { handler(outcome); });
}

void ConnectionCore::log_trace(std::string message, std::string verbose) {
    if (trace == TraceValue::off) return;
    Json params = {{"message", std::move(message)}};
    if (trace == TraceValue::verbose && !verbose.empty()) params["verbose"] = std::move(verbose);
    send(serialise(Notification{.method = "$/logTrace", .params = std::move(params)}));
}

// --- the end -----------------------------------------------------------------------------------------------

void ConnectionCore::stop_requests() {
    const auto stopped = std::exchange(unanswered_, {});
    for (const auto& [id, request] : stopped) {
        std::stop_source stop = request.stop;
        stop.request_stop();
    }
}

void ConnectionCore::fail_awaited() {
    const Outcome gone =
        tl::make_unexpected(response_error(ErrorCode::connection_closed, "the client is gone"));
    while (!awaited_.empty()) settle_awaited(RequestId(awaited_.begin()->first), gone);
}

void ConnectionCore::close(CloseReason reason) {
    if (state_ == State::closed) return;
    state_ = State::closed;
    log(reason.kind == Closed::slow_reader ? LogLevel::warning : LogLevel::info, reason.message);
    farewell_.cancel();
    patience_.cancel();
    transport_->close();
    // From the loop: whoever closes may be in the middle of something.
    boost::asio::post(loop_, [self = shared_from_this(), reason = std::move(reason)] {
        self->stop_requests();
        self->fail_awaited();
        if (const auto handler = std::exchange(self->close_handler, {})) handler(reason);
    });
}

void ConnectionCore::close_when_written(CloseReason reason) {
    if (state_ != State::open) return;
    state_ = State::leaving;
    leaving_because_ = std::move(reason);
    if (outbox_.bytes() == 0) return close(leaving_because_);
    farewell_.expires_after(options_.limits.farewell);
    farewell_.async_wait([self = shared_from_this()](const boost::system::error_code& error) {
        if (!error) self->close(self->leaving_because_);
    });
}

void ConnectionCore::abandon() {
    close_handler = {};
    awaited_.clear();
    close({Closed::by_us, "no longer needed"});
    options_.log = {};
    request_handlers.clear();
    notification_handlers.clear();
    gate = {};
}

} // namespace heddle::lsp
