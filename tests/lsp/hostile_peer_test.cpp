// Peers that are broken, hostile or stuck: memory stays bounded, and the others are served.
#include "conversation.h"

#include <random>

#include <gmock/gmock.h>

namespace heddle::lsp {
namespace {

using test::code;
using test::Conversation;
using test::error_code;
using test::run_until;

TEST(HostilePeer, one_that_does_not_read_is_disconnected) {
    Limits limits;
    limits.max_queued_bytes = 1 << 20;
    Conversation talk(limits);
    std::optional<CloseReason> closed;
    std::size_t most = 0;
    talk.server.on_close([&](const CloseReason& reason) { closed = reason; });
    talk.server.start();
    for (int i = 0; i < 10'000 && talk.server.is_open(); ++i) {
        talk.server.notify("window/logMessage", {{"message", std::string(10'000, 'x')}});
        talk.loop.poll();
        most = std::max(most, talk.server.queued_bytes());
    }
    run_until(talk.loop, [&] { return closed.has_value(); });
    EXPECT_EQ(closed->kind, Closed::slow_reader);
    EXPECT_LE(most, limits.max_queued_bytes + 100);
}

TEST(HostilePeer, one_that_reads_slowly_gets_everything) {
    Limits limits;
    limits.max_queued_bytes = 1 << 20;
    Conversation talk(limits);
    talk.server.start();
    // Larger than the limit, alone: it is sent all the same.
    talk.server.notify("big", {{"text", std::string(3 << 20, 'x')}});
    EXPECT_EQ(talk.client.next()["params"]["text"].get<std::string>().size(), std::size_t{3} << 20U);
    for (int i = 0; i < 2'000; ++i) {
        talk.server.notify("n", {{"i", i}, {"text", std::string(5'000, 'y')}});
        EXPECT_EQ(talk.client.next()["params"]["i"], i);
    }
    EXPECT_TRUE(talk.server.is_open());
}

TEST(HostilePeer, too_many_requests_at_once_are_refused) {
    Limits limits;
    limits.max_unanswered_requests = 100;
    Conversation talk(limits);
    std::vector<Reply> kept;
    talk.server.on_request("keep", [&](const Json&, Reply reply) { kept.push_back(std::move(reply)); });
    talk.server.start();
    for (int i = 0; i < 101; ++i) talk.client.request(i, "keep");
    const Json refused = talk.client.next();
    EXPECT_EQ(refused["id"], 100);
    EXPECT_EQ(error_code(refused), code(ErrorCode::server_cancelled));
    kept.front().answer(true);
    EXPECT_EQ(talk.client.next()["result"], true);
}

TEST(HostilePeer, one_that_never_answers_does_not_pile_up_requests) {
    Limits limits;
    limits.max_awaited_responses = 10;
    Conversation talk(limits);
    talk.server.start();
    int failed = 0;
    for (int i = 0; i < 15; ++i) {
        talk.server.request("ask", nullptr, [&](const Outcome& outcome) { failed += outcome ? 0 : 1; });
    }
    run_until(talk.loop, [&] { return failed == 5; });
    EXPECT_TRUE(talk.server.is_open());
}

TEST(HostilePeer, a_flood_leaves_room_for_others) {
    Conversation talk;
    int handled = 0;
    talk.server.on_notification("n", [&](const Json&) { ++handled; });
    talk.server.start();
    std::string flood;
    for (int i = 0; i < 1'000; ++i) flood += frame(R"({"jsonrpc":"2.0","method":"n"})");
    talk.client.send_bytes(flood);
    run_until(talk.loop, [&] { return handled > 0; });
    EXPECT_LE(handled, static_cast<int>(Limits().max_messages_per_turn));
    run_until(talk.loop, [&] { return handled == 1'000; });
}

TEST(HostilePeer, nested_json_and_announced_gigabytes_cost_nothing) {
    Conversation talk;
    talk.server.start();
    for (const char* opening : {"[", "{\"a\":", "[{\"b\":["}) {
        std::string deep;
        while (deep.size() < 1'000'000) deep += opening;
        talk.client.send_body(deep);
        EXPECT_EQ(error_code(talk.client.next()), code(ErrorCode::parse_error));
    }
    std::string wide = "[";
    while (wide.size() < 4'000'000) wide += "{},";
    talk.client.send_body(wide + "0]");
    EXPECT_EQ(error_code(talk.client.next()), code(ErrorCode::parse_error));
    talk.client.send_bytes("Content-Length: 2147483647\r\n\r\n{");
    EXPECT_EQ(error_code(talk.client.next()), code(ErrorCode::parse_error));
    talk.client.send_bytes("\r\n");
    talk.settle();
}

/// Clients that go in the middle of a message, at any byte, while one other goes on asking.
TEST(HostilePeer, a_thousand_disconnects_in_the_middle_of_messages) {
    Conversation steady;
    steady.server.start();
    std::mt19937 random(7);
    int closed = 0;
    std::vector<std::unique_ptr<Connection>> servers;
    for (int i = 0; i < 1'000; ++i) {
        const auto ends = test::socket_pair();
        auto& server = *servers.emplace_back(
            std::make_unique<Connection>(steady.loop, test::transport_over(steady.loop, ends.one, ends.one)));
        server.on_request("ask", [&server](const Json&, Reply reply) {
            server.request("back", nullptr, [](const Outcome&) {});
            reply.answer(std::string(100'000, 'r'));
        });
        server.on_close([&](const CloseReason&) { ++closed; });
        server.start();
        std::string stream;
        for (int n = 0; n < 3; ++n)
            stream += frame(to_text(Json{{"jsonrpc", "2.0"}, {"id", n}, {"method", "ask"}}));
        stream.resize(random() % stream.size());
        ASSERT_EQ(::send(ends.other, stream.data(), stream.size(), MSG_NOSIGNAL),
                  static_cast<ssize_t>(stream.size()));
        const std::size_t turns = random() % 6;
        for (std::size_t turn = 0; turn < turns; ++turn) steady.loop.poll_one();
        ::close(ends.other);
        if (i % 100 == 0) steady.settle();
        if (random() % 10 == 0) {
            if (!server.is_open()) continue;
            servers.back().reset(); // and some are given up by us
            servers.pop_back();
            ++closed;
        }
    }
    run_until(steady.loop, [&] { return closed >= 1'000; });
    for (const auto& server : servers) EXPECT_FALSE(server->is_open());
    steady.settle();
}

} // namespace
} // namespace heddle::lsp
