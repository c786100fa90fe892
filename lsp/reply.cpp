#include "lsp/reply.h"

#include "lsp/connection_core.h"

#include <exception>
#include <utility>

#include <fmt/format.h>

namespace heddle::lsp {

struct Reply::Debt {
    std::weak_ptr<ConnectionCore> connection;
    RequestId id;
    std::string method;
    std::stop_token stop;
    bool settled = false;
};

Reply::Reply(std::weak_ptr<ConnectionCore> connection, RequestId id, std::string method, std::stop_token stop)
    : debt_(std::make_unique<Debt>(
          Debt{std::move(connection), std::move(id), std::move(method), std::move(stop), false})) {}

Reply::Reply(Reply&& other) noexcept = default;

Reply& Reply::operator=(Reply&& other) noexcept {
    if (this != &other) {
        drop();
        debt_ = std::move(other.debt_);
    }
    return *this;
}

Reply::~Reply() {
    drop();
}

void Reply::answer(Json result) {
    settle(std::move(result));
}

void Reply::refuse(ResponseError error) {
    settle(tl::make_unexpected(std::move(error)));
}

std::stop_token Reply::stop_token() const {
    return debt_ ? debt_->stop : std::stop_token();
}

void Reply::settle(Outcome outcome) {
    if (!debt_) return;
    const auto connection = debt_->connection.lock();
    if (!connection) return;
    if (std::exchange(debt_->settled, true)) {
        return connection->log(LogLevel::error, fmt::format("a second answer to {} ({}) was dropped",
                                                            debt_->method, to_text(debt_->id)));
    }
    connection->answer(debt_->id, std::move(outcome));
}

void Reply::drop() noexcept {
    if (!debt_ || debt_->settled) return;
    try {
        refuse(ErrorCode::internal_error, fmt::format("{} was not answered", debt_->method));
    } catch (const std::exception&) {
        // Out of memory: the connection is beyond help, and a destructor may not say so.
        debt_->settled = true;
    }
}

} // namespace heddle::lsp
