#include "conversation.h"

#include <map>
#include <optional>
#include <random>
#include <stop_token>

#include <boost/asio/post.hpp>
#include <gmock/gmock.h>

namespace heddle::lsp {
namespace {

using test::code;
using test::Conversation;
using test::error_code;
using test::run_until;
using testing::IsEmpty;

TEST(Cancellation, stops_the_token_and_the_holder_answers) {
    Conversation talk;
    std::optional<Reply> kept;
    talk.server.on_request("long", [&](const Json&, Reply reply) { kept = std::move(reply); });
    talk.server.start();
    talk.client.request(7, "long");
    run_until(talk.loop, [&] { return kept.has_value(); });
    EXPECT_FALSE(kept->stop_token().stop_requested());
    talk.client.notify("$/cancelRequest", {{"id", 7}});
    run_until(talk.loop, [&] { return kept->stop_token().stop_requested(); });
    EXPECT_EQ(talk.server.unanswered_requests(), 1U);
    kept->refuse_cancelled();
    const Json answer = talk.client.next();
    EXPECT_EQ(answer["id"], 7);
    EXPECT_EQ(error_code(answer), code(ErrorCode::request_cancelled));
}

TEST(Cancellation, may_be_answered_from_the_token_itself) {
    Conversation talk;
    std::optional<Reply> kept;
    std::optional<std::stop_callback<std::function<void()>>> on_stop;
    talk.server.on_request("long", [&](const Json&, Reply reply) {
        kept = std::move(reply);
        on_stop.emplace(kept->stop_token(), [&] { kept->refuse_cancelled(); });
    });
    talk.server.start();
    talk.client.request("seven", "long");
    talk.client.notify("$/cancelRequest", {{"id", "seven"}});
    EXPECT_EQ(error_code(talk.client.next()), code(ErrorCode::request_cancelled));
    EXPECT_EQ(talk.server.unanswered_requests(), 0U);
}

TEST(Cancellation, of_what_is_unknown_or_malformed_is_ignored) {
    Conversation talk;
    talk.server.start();
    for (const Json& id : {Json(1), Json("x"), Json(nullptr), Json(1.5), Json::object(), Json(-1e300)})
        talk.client.notify("$/cancelRequest", {{"id", id}});
    talk.client.notify("$/cancelRequest");
    talk.client.notify("$/cancelRequest", Json::array({1}));
    talk.settle();
    EXPECT_THAT(talk.others, IsEmpty());
}

/// Requests, cancellations and answers in any order: each request has exactly one answer in the end.
TEST(Cancellation, races_with_the_answer_and_one_of_them_wins) {
    constexpr int kRequests = 3'000;
    Conversation talk;
    std::mt19937 random(1);
    std::vector<Reply> kept;
    talk.server.on_request("work", [&](const Json& params, Reply reply) {
        switch (params["how"].get<int>()) {
        case 0: return reply.answer("at once");
        case 1: return; // dropped
        case 2:
            boost::asio::post(talk.loop, [held = std::make_shared<Reply>(std::move(reply))] {
                if (held->stop_token().stop_requested()) return held->refuse_cancelled();
                held->answer("next turn");
            });
            return;
        default: kept.push_back(std::move(reply));
        }
    });
    talk.server.start();
    for (int id = 0; id < kRequests; ++id) {
        talk.client.request(id, "work", {{"how", random() % 4}});
        if (random() % 2 == 0)
            talk.client.notify("$/cancelRequest", {{"id", id - static_cast<int>(random() % 5)}});
    }
    talk.settle();
    std::shuffle(kept.begin(), kept.end(), random);
    for (Reply& reply : kept) {
        if (reply.stop_token().stop_requested()) {
            reply.refuse_cancelled();
        } else {
            reply.answer("late");
        }
    }
    talk.settle();
    std::map<int, int> answers;
    std::size_t cancelled = 0;
    for (const Json& message : talk.others) {
        ++answers[message["id"].get<int>()];
        if (error_code(message) == code(ErrorCode::request_cancelled)) ++cancelled;
    }
    EXPECT_EQ(answers.size(), static_cast<std::size_t>(kRequests));
    for (const auto& [id, count] : answers) EXPECT_EQ(count, 1) << "request " << id;
    EXPECT_GT(cancelled, 0U);
    EXPECT_EQ(talk.server.unanswered_requests(), 0U);
}

} // namespace
} // namespace heddle::lsp
