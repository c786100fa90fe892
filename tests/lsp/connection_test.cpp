#include "conversation.h"

#include <optional>
#include <stdexcept>

#include <gmock/gmock.h>

namespace heddle::lsp {
namespace {

using test::code;
using test::Conversation;
using test::error_code;
using test::run_until;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Connection, a_request_is_answered) {
    Conversation talk;
    talk.server.on_request("sum", [](const Json& params, Reply reply) {
        reply.answer(params["a"].get<int>() + params["b"].get<int>());
    });
    talk.server.start();
    talk.client.request(1, "sum", {{"a", 2}, {"b", 3}});
    EXPECT_EQ(talk.client.next(), (Json{{"jsonrpc", "2.0"}, {"id", 1}, {"result", 5}}));
    EXPECT_EQ(talk.server.unanswered_requests(), 0U);
}

TEST(Connection, an_answer_may_come_later_and_out_of_order) {
    Conversation talk;
    std::vector<Reply> kept;
    talk.server.on_request("later", [&](const Json&, Reply reply) { kept.push_back(std::move(reply)); });
    talk.server.start();
    talk.client.request("first", "later");
    talk.client.request("second", "later");
    run_until(talk.loop, [&] { return kept.size() == 2; });
    EXPECT_EQ(talk.server.unanswered_requests(), 2U);
    kept[1].answer("b");
    kept[0].answer("a");
    EXPECT_EQ(talk.client.next()["id"], "second");
    EXPECT_EQ(talk.client.next()["id"], "first");
}

TEST(Connection, notifications_reach_their_handler_and_unknown_ones_are_ignored) {
    Conversation talk;
    std::vector<Json> seen;
    talk.server.on_notification("note", [&](const Json& params) { seen.push_back(params); });
    talk.server.start();
    talk.client.notify("$/unknown");
    talk.client.notify("unknown/too");
    talk.client.notify("note", {{"x", 1}});
    talk.client.send({{"jsonrpc", "2.0"}, {"method", "note"}});
    talk.settle();
    EXPECT_THAT(seen, ElementsAre(Json{{"x", 1}}, Json()));
    EXPECT_THAT(talk.others, IsEmpty());
}

TEST(Connection, each_mistake_has_its_error) {
    Conversation talk;
    talk.server.start();
    const auto answer_to_body = [&](std::string_view body) {
        talk.client.send_body(body);
        return talk.client.next();
    };
    Json answer = answer_to_body("{nonsense");
    EXPECT_EQ(error_code(answer), code(ErrorCode::parse_error));
    EXPECT_TRUE(answer["id"].is_null());
    EXPECT_EQ(error_code(answer_to_body("\"\xff\"")), code(ErrorCode::parse_error));
    EXPECT_EQ(error_code(answer_to_body("")), code(ErrorCode::parse_error));
    EXPECT_EQ(error_code(answer_to_body(std::string(200'000, '['))), code(ErrorCode::parse_error));
    EXPECT_EQ(error_code(answer_to_body("1e999")), code(ErrorCode::parse_error));
    EXPECT_EQ(error_code(answer_to_body("7")), code(ErrorCode::invalid_request));
    EXPECT_EQ(error_code(answer_to_body(R"({"id":1,"method":"m"})")), code(ErrorCode::invalid_request));
    EXPECT_EQ(error_code(answer_to_body(R"({"jsonrpc":"2.0","id":1.5,"method":"m"})")),
              code(ErrorCode::invalid_request));
    answer = answer_to_body(R"({"jsonrpc":"2.0","id":9,"method":"m","params":3})");
    EXPECT_EQ(error_code(answer), code(ErrorCode::invalid_request));
    EXPECT_EQ(answer["id"], 9);
    answer = answer_to_body(R"({"jsonrpc":"2.0","id":"x","method":"no/such"})");
    EXPECT_EQ(error_code(answer), code(ErrorCode::method_not_found));
    EXPECT_EQ(answer["id"], "x");
    EXPECT_EQ(error_code(answer_to_body(R"({"jsonrpc":"2.0","id":2,"method":"$/such"})")),
              code(ErrorCode::method_not_found));
    talk.settle();
    EXPECT_THAT(talk.others, IsEmpty());
}

TEST(Connection, a_batch_is_refused_by_one_error) {
    Conversation talk;
    talk.server.start();
    talk.client.send_body(R"([{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":2,"method":"b"}])");
    const Json answer = talk.client.next();
    EXPECT_EQ(error_code(answer), code(ErrorCode::invalid_request));
    EXPECT_THAT(answer["error"]["message"].get<std::string>(), HasSubstr("batch"));
    talk.settle();
    EXPECT_THAT(talk.others, IsEmpty());
}

TEST(Connection, broken_framing_is_answered_and_survived) {
    Conversation talk;
    talk.server.start();
    talk.client.send_bytes("Content-Length: many\r\n\r\n");
    EXPECT_EQ(error_code(talk.client.next()), code(ErrorCode::parse_error));
    talk.client.send_bytes("Content-Length: 2147483648\r\n\r\n");
    EXPECT_EQ(error_code(talk.client.next()), code(ErrorCode::parse_error));
    talk.settle();
    EXPECT_THAT(talk.others, IsEmpty());
}

TEST(Connection, a_bad_response_is_never_answered) {
    Conversation talk;
    talk.server.start();
    talk.client.send_body(R"({"jsonrpc":"2.0","id":77,"result":1})");
    talk.client.send_body(R"({"jsonrpc":"2.0","id":{},"result":1})");
    talk.client.send_body(R"({"id":1,"error":"no"})");
    talk.client.send_body(R"({"jsonrpc":"2.0","id":1,"error":"no"})");
    talk.client.send_body(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}})");
    talk.settle();
    EXPECT_THAT(talk.others, IsEmpty());
}

TEST(Connection, a_dropped_reply_and_a_throwing_handler_answer_internal_error) {
    Conversation talk;
    talk.server.on_request("drop", [](const Json&, const Reply&) {});
    talk.server.on_request("throw", [](const Json&, const Reply&) { throw std::runtime_error("oh"); });
    talk.server.on_request("misread",
                           [](const Json& params, Reply reply) { reply.answer(params.at("nothing")); });
    talk.server.start();
    for (const char* method : {"drop", "throw", "misread"}) {
        talk.client.request(method, method);
        const Json answer = talk.client.next();
        EXPECT_EQ(answer["id"], method);
        EXPECT_EQ(error_code(answer), code(ErrorCode::internal_error));
    }
    EXPECT_THAT(talk.log, Contains(HasSubstr("oh")));
    EXPECT_EQ(talk.server.unanswered_requests(), 0U);
}

TEST(Connection, of_two_answers_the_first_is_sent) {
    Conversation talk;
    talk.server.on_request("twice", [](const Json&, Reply reply) {
        reply.answer(1);
        reply.answer(2);
        reply.refuse(ErrorCode::request_failed, "three");
    });
    talk.server.start();
    talk.client.request(1, "twice");
    EXPECT_EQ(talk.client.next()["result"], 1);
    talk.settle();
    EXPECT_THAT(talk.others, IsEmpty());
    EXPECT_THAT(talk.log, Contains(HasSubstr("second answer")));
}

TEST(Connection, assigning_over_a_reply_answers_the_one_that_is_lost) {
    Conversation talk;
    std::optional<Reply> kept;
    talk.server.on_request("keep", [&](const Json&, Reply reply) {
        if (kept) {
            *kept = std::move(reply);
        } else {
            kept = std::move(reply);
        }
    });
    talk.server.start();
    talk.client.request(1, "keep");
    talk.client.request(2, "keep");
    const Json lost = talk.client.next();
    EXPECT_EQ(lost["id"], 1);
    EXPECT_EQ(error_code(lost), code(ErrorCode::internal_error));
    kept->answer(true);
    EXPECT_EQ(talk.client.next()["id"], 2);
}

TEST(Connection, an_id_that_is_in_use_is_refused) {
    Conversation talk;
    std::vector<Reply> kept;
    talk.server.on_request("keep", [&](const Json&, Reply reply) { kept.push_back(std::move(reply)); });
    talk.server.start();
    talk.client.request(1, "keep");
    talk.client.request(1, "keep");
    EXPECT_EQ(error_code(talk.client.next()), code(ErrorCode::invalid_request));
    ASSERT_EQ(kept.size(), 1U);
    kept[0].answer("done");
    EXPECT_EQ(talk.client.next()["result"], "done");
}

TEST(Connection, requests_go_the_other_way_too) {
    Conversation talk;
    talk.server.start();
    std::vector<Outcome> outcomes;
    const auto keep = [&](const Outcome& outcome) { outcomes.push_back(outcome); };
    talk.server.request("workspace/configuration", {{"items", Json::array()}}, keep);
    const Json first = talk.client.next();
    EXPECT_EQ(first["method"], "workspace/configuration");
    talk.client.send({{"jsonrpc", "2.0"}, {"id", first["id"]}, {"result", {1, 2}}});
    const RequestId second = talk.server.request("other", nullptr, keep);
    talk.server.cancel(second);
    EXPECT_FALSE(talk.client.next().contains("params"));
    const Json cancel = talk.client.next();
    EXPECT_EQ(cancel["method"], "$/cancelRequest");
    talk.client.send({{"jsonrpc", "2.0"},
                      {"id", cancel["params"]["id"]},
                      {"error", {{"code", -32800}, {"message", "cancelled"}, {"data", "d"}}}});
    run_until(talk.loop, [&] { return outcomes.size() == 2; });
    EXPECT_EQ(outcomes[0].value(), (Json{1, 2}));
    EXPECT_EQ(outcomes[1].error(), (ResponseError{.code = -32800, .message = "cancelled", .data = "d"}));
}

TEST(Connection, every_request_is_settled_once_when_the_peer_leaves) {
    Conversation talk;
    std::vector<std::int64_t> codes;
    std::vector<Closed> closed;
    std::vector<Reply> kept;
    talk.server.on_request("keep", [&](const Json&, Reply reply) { kept.push_back(std::move(reply)); });
    talk.server.on_close([&](const CloseReason& reason) { closed.push_back(reason.kind); });
    talk.server.start();
    for (int i = 0; i < 3; ++i)
        talk.server.request("ask", nullptr,
                            [&](const Outcome& outcome) { codes.push_back(outcome.error().code); });
    talk.client.request(1, "keep");
    run_until(talk.loop, [&] { return kept.size() == 1; });
    talk.client.hang_up();
    run_until(talk.loop, [&] { return !closed.empty(); });
    talk.server.request("ask", nullptr,
                        [&](const Outcome& outcome) { codes.push_back(outcome.error().code); });
    run_until(talk.loop, [&] { return codes.size() == 4; });
    EXPECT_THAT(codes, testing::Each(code(ErrorCode::connection_closed)));
    EXPECT_THAT(closed, ElementsAre(Closed::by_peer));
    EXPECT_TRUE(kept[0].stop_token().stop_requested());
    kept[0].answer("too late, and harmless");
    EXPECT_FALSE(talk.server.is_open());
}

TEST(Connection, a_reply_may_outlive_its_connection) {
    boost::asio::io_context loop;
    std::vector<Reply> kept;
    {
        const auto ends = test::socket_pair();
        Connection server(loop, test::transport_over(loop, ends.one, ends.one));
        test::Client client(loop, test::transport_over(loop, ends.other, ends.other));
        server.on_request("keep", [&](const Json&, Reply reply) { kept.push_back(std::move(reply)); });
        server.start();
        client.request(1, "keep");
        run_until(loop, [&] { return kept.size() == 1; });
    }
    loop.restart();
    loop.run();
    EXPECT_TRUE(kept[0].stop_token().stop_requested());
    kept[0].answer(1);
}

TEST(Connection, what_was_asked_before_the_end_of_the_stream_is_still_answered) {
    Limits limits;
    limits.farewell = std::chrono::minutes(1);
    Conversation talk(limits);
    talk.server.on_request("big",
                           [](const Json&, Reply reply) { reply.answer(std::string(5'000'000, 'x')); });
    talk.server.start();
    talk.client.request(1, "big");
    talk.client.send_end();
    EXPECT_EQ(talk.client.next()["result"].get<std::string>().size(), 5'000'000U);
    EXPECT_TRUE(talk.client.sees_end());
}

TEST(Connection, last_words_that_nobody_reads_are_given_up) {
    Limits limits;
    limits.farewell = std::chrono::milliseconds(1);
    Conversation talk(limits);
    bool closed = false;
    talk.server.on_close([&](const CloseReason&) { closed = true; });
    talk.server.start();
    talk.server.notify("big", {{"text", std::string(5'000'000, 'x')}});
    talk.server.close_when_written("enough");
    run_until(talk.loop, [&] { return closed; });
    EXPECT_FALSE(talk.server.is_open());
}

TEST(Connection, tracing_tells_of_each_answer) {
    Conversation talk;
    talk.server.on_request("hover",
                           [](const Json&, Reply reply) { reply.refuse(ErrorCode::request_failed, "no"); });
    talk.server.start();
    talk.client.notify("$/setTrace", {{"value", "verbose"}});
    talk.client.request(4, "hover");
    const Json trace = talk.client.next();
    EXPECT_EQ(trace["method"], "$/logTrace");
    EXPECT_THAT(trace["params"]["message"].get<std::string>(), HasSubstr("hover (4) answered in"));
    EXPECT_THAT(trace["params"]["verbose"].get<std::string>(), HasSubstr("-32803"));
    EXPECT_EQ(talk.client.next()["id"], 4);
    talk.client.notify("$/setTrace", {{"value", "off"}});
    talk.client.notify("$/setTrace", {{"value", 3}});
    talk.client.notify("$/setTrace");
    talk.settle();
    EXPECT_THAT(talk.others, IsEmpty());
    EXPECT_EQ(talk.server.trace(), TraceValue::off);
}

} // namespace
} // namespace heddle::lsp
