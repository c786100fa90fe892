// JSON-RPC 2.0 messages as LSP uses them: request, notification, response; by name, with an id that is a
// number or a string. Batches are no part of LSP: one is refused as a whole, by one error.
#pragma once

#include "lsp/json.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

namespace heddle::lsp {

using RequestId = std::variant<std::int64_t, std::string>;

/// For logs: `7` or `"seven"`.
[[nodiscard]] std::string to_text(const RequestId& id);

enum class ErrorCode : std::int32_t {
    parse_error = -32700,
    invalid_request = -32600,
    method_not_found = -32601,
    invalid_params = -32602,
    internal_error = -32603,
    connection_closed = -32097, ///< ours, never sent: the peer left before it answered
    server_not_initialized = -32002,
    request_failed = -32803,
    server_cancelled = -32802,
    content_modified = -32801,
    request_cancelled = -32800,
};

/// Why a request failed. The code is a number: a peer may send one that has no name here.
struct ResponseError {
    std::int64_t code = 0;
    std::string message;
    Json data = nullptr; ///< left out when null

    bool operator==(const ResponseError&) const = default;
};

[[nodiscard]] ResponseError response_error(ErrorCode code, std::string message);

/// What a request comes to.
using Outcome = tl::expected<Json, ResponseError>;

struct Request {
    RequestId id;
    std::string method;
    Json params = nullptr; ///< an object, an array, or null for none
};

struct Notification {
    std::string method;
    Json params = nullptr;
};

struct Response {
    std::optional<RequestId> id; ///< none when the request could not be read so far
    Outcome outcome;
};

using Message = std::variant<Request, Notification, Response>;

/// Bytes that are no message.
struct BadMessage {
    std::optional<RequestId> id; ///< where it can be told
    ResponseError error;
    bool answerable = true; ///< a response is never answered, not even a bad one
};

[[nodiscard]] tl::expected<Message, BadMessage> parse_message(std::string_view body,
                                                              const JsonLimits& limits = {});

/// The body of the message, without its frame.
[[nodiscard]] std::string serialise(const Request& request);
[[nodiscard]] std::string serialise(const Notification& notification);
[[nodiscard]] std::string serialise(const Response& response);

} // namespace heddle::lsp
