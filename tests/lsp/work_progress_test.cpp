#include "conversation.h"
#include "lsp/work_progress.h"

#include <gmock/gmock.h>

namespace heddle::lsp {
namespace {

using namespace std::chrono_literals;
using test::Conversation;
using test::run_until;
using testing::IsEmpty;

struct Work {
    Work() {
        reporter.client_can_create_tokens(true);
        talk.server.start();
    }

    /// The client takes the token that the server asks it to create.
    Json accept_token() {
        const Json create = talk.client.next();
        EXPECT_EQ(create["method"], "window/workDoneProgress/create");
        talk.client.send({{"jsonrpc", "2.0"}, {"id", create["id"]}, {"result", nullptr}});
        return create["params"]["token"];
    }
    Json next_value() {
        const Json message = talk.client.next();
        EXPECT_EQ(message["method"], "$/progress");
        return message["params"]["value"];
    }

    Conversation talk;
    std::chrono::steady_clock::time_point now;
    ProgressReporter reporter{talk.server, [this] { return now; }};
};

TEST(WorkProgress, begins_reports_and_ends) {
    Work work;
    WorkProgress progress = work.reporter.begin({.title = "Analysing"});
    progress.report(10, "early"); // before the client agreed: begin carries it
    const Json token = work.accept_token();
    const Json begin = work.talk.client.next();
    EXPECT_EQ(begin["params"]["token"], token);
    EXPECT_EQ(begin["params"]["value"], (Json{{"kind", "begin"},
                                              {"title", "Analysing"},
                                              {"cancellable", true},
                                              {"message", "early"},
                                              {"percentage", 10}}));
    work.now += 100ms;
    progress.report(50, "half");
    EXPECT_EQ(work.next_value(), (Json{{"kind", "report"}, {"message", "half"}, {"percentage", 50}}));
    progress.end("done");
    EXPECT_EQ(work.next_value(), (Json{{"kind", "end"}, {"message", "done"}}));
    progress.report(60);
    progress.end();
    work.talk.settle();
    EXPECT_THAT(work.talk.others, IsEmpty());
}

TEST(WorkProgress, reports_come_at_intervals_and_never_go_back) {
    Work work;
    WorkProgress progress = work.reporter.begin({.title = "t"});
    work.accept_token();
    work.next_value();
    for (std::uint32_t i = 0; i <= 1'000; ++i) {
        work.now += 1ms;
        progress.report(i == 700 ? 0 : i / 10);
    }
    progress.report(4'000'000'000);
    work.talk.settle();
    ASSERT_EQ(work.talk.others.size(), 10U);
    std::uint32_t last = 0;
    for (const Json& message : work.talk.others) {
        const auto percentage = message["params"]["value"]["percentage"].get<std::uint32_t>();
        EXPECT_GE(percentage, last);
        last = percentage;
    }
    EXPECT_LE(last, 100U);
}

TEST(WorkProgress, a_person_cancels) {
    Work work;
    WorkProgress progress = work.reporter.begin({.title = "t"});
    const Json token = work.accept_token();
    work.next_value();
    work.talk.client.notify("window/workDoneProgress/cancel", {{"token", "another"}});
    work.talk.client.notify("window/workDoneProgress/cancel", {{"token", {1}}});
    work.talk.settle();
    EXPECT_FALSE(progress.stop_token().stop_requested());
    work.talk.client.notify("window/workDoneProgress/cancel", {{"token", token}});
    work.talk.settle();
    EXPECT_TRUE(progress.stop_token().stop_requested());
}

TEST(WorkProgress, a_token_of_the_client_is_used_at_once) {
    Work work;
    work.reporter.client_can_create_tokens(false);
    { const WorkProgress progress = work.reporter.begin({.title = "t", .client_token = std::int64_t{7}}); }
    EXPECT_EQ(work.next_value()["kind"], "begin");
    EXPECT_EQ(work.next_value(), (Json{{"kind", "end"}}));
}

TEST(WorkProgress, is_silent_for_clients_that_cannot_or_do_not_want_it) {
    Work work;
    work.reporter.client_can_create_tokens(false);
    {
        WorkProgress progress = work.reporter.begin({.title = "t"});
        progress.report(1);
    }
    work.talk.settle();
    EXPECT_THAT(work.talk.others, IsEmpty());
    work.reporter.client_can_create_tokens(true);
    WorkProgress refused = work.reporter.begin({.title = "t"});
    const Json create = work.talk.client.next();
    work.talk.client.send(
        {{"jsonrpc", "2.0"}, {"id", create["id"]}, {"error", {{"code", 1}, {"message", "no"}}}});
    refused.report(5);
    work.talk.settle();
    refused.end();
    work.talk.settle();
    EXPECT_THAT(work.talk.others, IsEmpty());
}

TEST(WorkProgress, work_that_ends_before_the_client_agreed_is_never_shown) {
    Work work;
    { const WorkProgress progress = work.reporter.begin({.title = "quick"}); }
    work.accept_token();
    work.talk.settle();
    EXPECT_THAT(work.talk.others, IsEmpty());
}

TEST(WorkProgress, may_outlive_its_reporter) {
    Conversation talk;
    auto reporter = std::make_unique<ProgressReporter>(talk.server);
    WorkProgress progress = reporter->begin({.title = "t", .client_token = "mine"});
    reporter.reset();
    EXPECT_TRUE(progress.stop_token().stop_requested());
    progress.report(5);
    progress.end();
}

} // namespace
} // namespace heddle::lsp
