#include "lsp/message.h"

#include <cmath>
#include <utility>

namespace heddle::lsp {

namespace {

/// Doubles are exact up to here, and so are the ids of clients that know no other numbers.
constexpr double kLargestExact = 9007199254740992.0;

std::optional<std::int64_t> whole_number(const Json& json) {
    if (json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX) return std::nullopt;
    if (json.is_number_integer()) return json.get<std::int64_t>();
    if (!json.is_number_float()) return std::nullopt;
    const auto number = json.get<double>();
    if (std::trunc(number) != number || std::abs(number) > kLargestExact) return std::nullopt;
    return static_cast<std::int64_t>(number);
}

std::optional<RequestId> read_id(const Json& json) {
    if (json.is_string()) return json.get<std::string>();
    if (const auto number = whole_number(json)) return *number;
    return std::nullopt;
}

Json id_json(const std::optional<RequestId>& id) {
    if (!id) return nullptr;
    return std::visit([](const auto& value) { return Json(value); }, *id);
}

tl::unexpected<BadMessage> bad(std::optional<RequestId> id, std::string what, bool answerable = true) {
    return tl::make_unexpected(
        BadMessage{.id = std::move(id),
                   .error = response_error(ErrorCode::invalid_request, std::move(what)),
                   .answerable = answerable});
}

tl::expected<Message, BadMessage> read_response(Json& json, std::optional<RequestId> id) {
    const auto error = json.find("error");
    if (error == json.end() || error->is_null()) {
        const auto result = json.find("result");
        return Response{.id = std::move(id), .outcome = result == json.end() ? Json() : std::move(*result)};
    }
    if (!error->is_object()) return bad(std::move(id), "the error of a response is no object", false);
    ResponseError failure;
    if (const auto code = error->find("code"); code != error->end())
        failure.code = whole_number(*code).value_or(0);
    if (const auto message = error->find("message"); message != error->end() && message->is_string())
        failure.message = message->get<std::string>();
    if (const auto data = error->find("data"); data != error->end()) failure.data = std::move(*data);
    return Response{.id = std::move(id), .outcome = tl::make_unexpected(std::move(failure))};
}

tl::expected<Message, BadMessage> read_message(Json& json) {
    if (json.is_array()) return bad(std::nullopt, "batches of messages are not supported: send one by one");
    if (!json.is_object()) return bad(std::nullopt, "a message is an object");

    const auto id_member = json.find("id");
    const bool has_id = id_member != json.end() && !id_member->is_null();
    std::optional<RequestId> id = has_id ? read_id(*id_member) : std::nullopt;

    const auto method = json.find("method");
    const bool is_response = method == json.end() && (json.contains("result") || json.contains("error"));
    if (const auto version = json.find("jsonrpc"); version == json.end() || *version != "2.0")
        return bad(std::move(id), R"(a message has "jsonrpc": "2.0")", !is_response);
    if (has_id && !id) return bad(std::nullopt, "an id is a whole number or a string", !is_response);
    if (is_response) return read_response(json, std::move(id));

    if (method == json.end() || !method->is_string())
        return bad(std::move(id), "a request has a method, a string");
    Json params;
    if (const auto given = json.find("params"); given != json.end()) {
        if (!given->is_structured() && !given->is_null())
            return bad(std::move(id), "params are an object or an array", has_id);
        params = std::move(*given);
    }
    if (id) return Request{std::move(*id), method->get<std::string>(), std::move(params)};
    return Notification{method->get<std::string>(), std::move(params)};
}

} // namespace

std::string to_text(const RequestId& id) {
    return to_text(id_json(id));
}

ResponseError response_error(ErrorCode code, std::string message) {
    return {.code = static_cast<std::int64_t>(code), .message = std::move(message)};
}

tl::expected<Message, BadMessage> parse_message(std::string_view body, const JsonLimits& limits) {
    auto json = parse_json(body, limits);
    if (!json) {
        return tl::make_unexpected(
            BadMessage{.error = response_error(ErrorCode::parse_error, std::move(json.error().message))});
    }
    return read_message(*json);
}

std::string serialise(const Request& request) {
    Json json = {{"jsonrpc", "2.0"}, {"id", id_json(request.id)}, {"method", request.method}};
    if (!request.params.is_null()) json["params"] = request.params;
    return to_text(json);
}

std::string serialise(const Notification& notification) {
    Json json = {{"jsonrpc", "2.0"}, {"method", notification.method}};
    if (!notification.params.is_null()) json["params"] = notification.params;
    return to_text(json);
}

std::string serialise(const Response& response) {
    Json json = {{"jsonrpc", "2.0"}, {"id", id_json(response.id)}};
    if (response.outcome) {
        json["result"] = *response.outcome;
    } else {
        const ResponseError& error = response.outcome.error();
        json["error"] = {{"code", error.code}, {"message", error.message}};
        if (!error.data.is_null()) json["error"]["data"] = error.data;
    }
    return to_text(json);
}

} // namespace heddle::lsp
