// Handlers that take typed parameters. Parameters that do not decode are answered with InvalidParams and the
// path of the member that is wrong; of a notification they are logged by the connection.
#pragma once

#include "lsp/connection.h"
#include "lsp/protocol/decode.h"

#include <string>
#include <utility>

namespace heddle::lsp {

/// handle_request<HoverParams>(connection, "textDocument/hover", [](const HoverParams&, Reply) { … });
template<typename Params, typename Handler>
void handle_request(Connection& connection, std::string method, Handler handler) {
    connection.on_request(
        std::move(method), [handler = std::move(handler)](const Json& json, Reply reply) mutable {
            auto params = from_json<Params>(json);
            if (!params) return reply.refuse(ErrorCode::invalid_params, std::move(params.error().message));
            handler(*params, std::move(reply));
        });
}

/// handle_notification<DidChangeTextDocumentParams>(connection, "textDocument/didChange", [](const …&) { …
/// });
template<typename Params, typename Handler>
void handle_notification(Connection& connection, std::string method, Handler handler) {
    connection.on_notification(
        method, [&connection, method, handler = std::move(handler)](const Json& json) mutable {
            auto params = from_json<Params>(json);
            if (!params) return connection.report(LogLevel::warning, method + ": " + params.error().message);
            handler(*params);
        });
}

} // namespace heddle::lsp
