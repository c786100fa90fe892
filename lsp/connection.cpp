#include "lsp/connection.h"

#include "lsp/connection_core.h"

#include <utility>

namespace heddle::lsp {

Connection::Connection(boost::asio::io_context& loop, std::unique_ptr<Transport> transport,
                       ConnectionOptions options)
    : core_(std::make_shared<ConnectionCore>(loop, std::move(transport), std::move(options))) {}

Connection::~Connection() {
    core_->abandon();
}

void Connection::on_request(std::string method, RequestHandler handler) {
    core_->request_handlers.insert_or_assign(std::move(method), std::move(handler));
}

void Connection::on_notification(std::string method, NotificationHandler handler) {
    core_->notification_handlers.insert_or_assign(std::move(method), std::move(handler));
}

void Connection::set_gate(Gate gate) {
    core_->gate = std::move(gate);
}

void Connection::on_close(std::function<void(const CloseReason&)> handler) {
    core_->close_handler = std::move(handler);
}

void Connection::set_stranger(bool is_one) {
    core_->set_stranger(is_one);
}

void Connection::start() {
    core_->start();
}

RequestId Connection::request(std::string method, Json params, ResponseHandler handler) {
    return core_->request(std::move(method), std::move(params), std::move(handler));
}

void Connection::cancel(const RequestId& id) {
    Json params;
    std::visit([&](const auto& value) { params["id"] = value; }, id);
    notify("$/cancelRequest", std::move(params));
}

void Connection::notify(std::string method, Json params) {
    core_->send(serialise(Notification{.method = std::move(method), .params = std::move(params)}));
}

void Connection::close(std::string why) {
    core_->close({Closed::by_us, std::move(why)});
}

void Connection::close_when_written(std::string why) {
    core_->close_when_written({Closed::by_us, std::move(why)});
}

bool Connection::is_open() const {
    return core_->is_open();
}

void Connection::set_trace(TraceValue trace) {
    core_->trace = trace;
}

TraceValue Connection::trace() const {
    return core_->trace;
}

void Connection::log_trace(std::string message, std::string verbose) {
    core_->log_trace(std::move(message), std::move(verbose));
}

void Connection::report(LogLevel level, std::string_view message) const {
    core_->log(level, message);
}

std::size_t Connection::unanswered_requests() const {
    return core_->unanswered_requests();
}

std::size_t Connection::queued_bytes() const {
    return core_->queued_bytes();
}

std::string Connection::peer_name() const {
    return core_->peer_name();
}

} // namespace heddle::lsp
