#include "lsp/lifecycle.h"

#include <utility>

#include <fmt/format.h>

namespace heddle::lsp {

namespace {

/// Takes the same time wherever the texts begin to differ, so that a token cannot be guessed piece by piece.
bool same_secret(std::string_view secret, std::string_view presented) {
    if (secret.empty()) return false;
    unsigned differences = secret.size() == presented.size() ? 0 : 1;
    for (std::size_t i = 0; i < presented.size(); ++i)
        differences += static_cast<unsigned>(secret[i % secret.size()] != presented[i]);
    return differences == 0;
}

std::string presented_token(const Json& params) {
    if (!params.is_object()) return {};
    const auto options = params.find("initializationOptions");
    if (options == params.end() || !options->is_object()) return {};
    const auto token = options->find("token");
    return token != options->end() && token->is_string() ? token->get<std::string>() : std::string();
}

} // namespace

Lifecycle::Lifecycle(boost::asio::io_context& loop, Connection& connection, LifecycleOptions options,
                     LifecycleHandlers handlers)
    : loop_(loop), connection_(connection), options_(std::move(options)), handlers_(std::move(handlers)) {
    connection_.set_stranger(options_.token.has_value());
    connection_.set_gate([this](std::string_view method) { return gate(method); });
    connection_.on_close([this](const CloseReason& reason) { end(reason.message); });
    connection_.on_request("initialize",
                           [this](const Json& params, Reply reply) { initialize(params, std::move(reply)); });
    connection_.on_notification("initialized", [this](const Json&) {
        if (handlers_.initialized) handlers_.initialized();
    });
    connection_.on_request("shutdown", [this](const Json&, Reply reply) {
        state_ = State::shut_down;
        was_shut_down_ = true;
        if (handlers_.shutdown) handlers_.shutdown();
        reply.answer(nullptr);
    });
    connection_.on_notification("exit", [this](const Json&) { connection_.close_when_written("exit"); });
}

std::optional<ResponseError> Lifecycle::gate(std::string_view method) const {
    if (method == "exit") return std::nullopt;
    switch (state_) {
    case State::uninitialized:
        if (method == "initialize") return std::nullopt;
        return response_error(ErrorCode::server_not_initialized, "initialize has to come first");
    case State::initialized:
        if (method != "initialize") return std::nullopt;
        return response_error(ErrorCode::invalid_request, "initialized already");
    case State::shut_down:
    case State::ended: break;
    }
    return response_error(ErrorCode::invalid_request, "shut down already: only exit may follow");
}

void Lifecycle::initialize(const Json& json, Reply reply) {
    if (options_.token && !same_secret(*options_.token, presented_token(json))) {
        reply.refuse(
            ErrorCode::request_failed,
            "initializationOptions.token is missing or wrong: it is the one the daemon was started with");
        return connection_.close_when_written("a client without the right token was disconnected");
    }
    connection_.set_stranger(false);
    const auto params = from_json<InitializeParams>(json);
    if (!params) return reply.refuse(ErrorCode::invalid_params, params.error().message);
    auto result = handlers_.initialize(*params);
    if (!result) return reply.refuse(std::move(result.error()));
    state_ = State::initialized;
    connection_.set_trace(params->trace);
    reply.answer(*result);
    if (params->processId) watch(*params->processId);
}

void Lifecycle::watch(std::int32_t process) {
    if (!options_.watch_client_process || process <= 0) return;
    client_process_ = std::make_unique<ProcessWatch>(loop_, process, [this, process] {
        connection_.close(fmt::format("the client's process {} died", process));
    });
}

void Lifecycle::end(std::string reason) {
    state_ = State::ended;
    client_process_.reset();
    if (handlers_.ended) handlers_.ended({.exit_code = was_shut_down_ ? 0 : 1, .reason = std::move(reason)});
}

} // namespace heddle::lsp
