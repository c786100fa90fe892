#include "lsp/message.h"

#include <gmock/gmock.h>

namespace heddle::lsp {
namespace {

template<typename Kind>
Kind parsed(std::string_view body) {
    const auto message = parse_message(body);
    if (!message || !std::holds_alternative<Kind>(*message)) {
        ADD_FAILURE() << body;
        return {};
    }
    return std::get<Kind>(*message);
}

TEST(Message, each_kind_is_told_apart) {
    const auto request = parsed<Request>(R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1}})");
    EXPECT_EQ(request.id, RequestId(std::int64_t{1}));
    EXPECT_EQ(request.method, "m");
    EXPECT_EQ(request.params, (Json{{"a", 1}}));
    EXPECT_EQ(parsed<Notification>(R"({"jsonrpc":"2.0","method":"n","params":[1]})").params,
              Json::array({1}));
    EXPECT_EQ(parsed<Notification>(R"({"jsonrpc":"2.0","id":null,"method":"n"})").params, Json());
    EXPECT_EQ(parsed<Response>(R"({"jsonrpc":"2.0","id":"x","result":null})").outcome, Outcome(Json()));
    const auto failed = parsed<Response>(R"({"jsonrpc":"2.0","id":2,"error":{"code":-5,"message":"m"}})");
    EXPECT_EQ(failed.outcome.error(), (ResponseError{.code = -5, .message = "m"}));
}

TEST(Message, a_whole_number_is_an_id_however_it_is_written) {
    EXPECT_EQ(parsed<Request>(R"({"jsonrpc":"2.0","id":3.0,"method":"m"})").id, RequestId(std::int64_t{3}));
    EXPECT_EQ(parsed<Request>(R"({"jsonrpc":"2.0","id":-9223372036854775808,"method":"m"})").id,
              RequestId(INT64_MIN));
    for (const char* id : {"1.5", "18446744073709551615", "1e300", "true", "[]", "{}"}) {
        const auto message = parse_message(R"({"jsonrpc":"2.0","method":"m","id":)" + std::string(id) + "}");
        ASSERT_FALSE(message) << id;
        EXPECT_EQ(message.error().error.code, static_cast<int>(ErrorCode::invalid_request));
        EXPECT_FALSE(message.error().id);
    }
}

TEST(Message, what_is_written_is_read_back) {
    const Request request{.id = "a\"b", .method = "m", .params = {{"k", {1, 2}}}};
    const auto again = parsed<Request>(serialise(request));
    EXPECT_EQ(again.id, request.id);
    EXPECT_EQ(again.params, request.params);
    EXPECT_EQ(serialise(Notification{.method = "exit"}), R"({"jsonrpc":"2.0","method":"exit"})");
    EXPECT_EQ(serialise(Response{.id = std::int64_t{1}, .outcome = Json()}),
              R"({"id":1,"jsonrpc":"2.0","result":null})");
    EXPECT_EQ(
        serialise(Response{.id = std::nullopt,
                           .outcome = tl::make_unexpected(response_error(ErrorCode::parse_error, "p"))}),
        R"({"error":{"code":-32700,"message":"p"},"id":null,"jsonrpc":"2.0"})");
}

TEST(Message, errors_of_responses_may_be_odd) {
    const auto odd =
        parsed<Response>(R"({"jsonrpc":"2.0","id":1,"error":{"code":"x","message":7,"data":[1]}})");
    EXPECT_EQ(odd.outcome.error(), (ResponseError{.code = 0, .message = "", .data = Json::array({1})}));
}

} // namespace
} // namespace heddle::lsp
