#include "conversation.h"
#include "lsp/lifecycle.h"

#include <csignal>
#include <optional>

#include <gmock/gmock.h>
#include <sys/prctl.h>
#include <sys/wait.h>

namespace heddle::lsp {
namespace {

using test::code;
using test::Conversation;
using test::error_code;
using test::run_until;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Session {
    explicit Session(LifecycleOptions options = {}, Limits limits = {})
        : talk(limits),
          life(talk.loop, talk.server, std::move(options),
               {.initialize = [this](const InitializeParams& params) -> LifecycleHandlers::InitializeOutcome {
                    events.emplace_back("initialize");
                    seen = params;
                    if (refuse_initialize)
                        return tl::make_unexpected(response_error(ErrorCode::request_failed, "not today"));
                    return InitializeResult{.capabilities = {.hoverProvider = true},
                                            .serverInfo = {"test", "1"}};
                },
                .initialized = [this] { events.emplace_back("initialized"); },
                .shutdown = [this] { events.emplace_back("shutdown"); },
                .ended =
                    [this](const SessionEnd& reason) {
                        EXPECT_FALSE(talk.server.is_open());
                        EXPECT_FALSE(end.has_value());
                        end = reason;
                    }}) {
        talk.server.on_request("work", [](const Json&, Reply reply) { reply.answer("done"); });
        talk.server.on_notification("note", [this](const Json&) { events.emplace_back("note"); });
        talk.server.start();
    }

    Json ask(std::string_view method, Json params = Json::object()) {
        talk.client.request(method, method, std::move(params));
        return talk.client.next();
    }
    Json initialize(Json params = {{"capabilities", Json::object()}, {"processId", nullptr}}) {
        return ask("initialize", std::move(params));
    }
    SessionEnd ended() {
        run_until(talk.loop, [this] { return end.has_value(); });
        return end.value_or(SessionEnd{});
    }

    Conversation talk;
    bool refuse_initialize = false;
    std::vector<std::string> events;
    InitializeParams seen;
    std::optional<SessionEnd> end;
    Lifecycle life;
};

TEST(Lifecycle, the_usual_life) {
    Session session;
    const Json answer = session.initialize();
    EXPECT_EQ(answer["result"]["capabilities"]["hoverProvider"], true);
    EXPECT_EQ(answer["result"]["serverInfo"]["name"], "test");
    session.talk.client.notify("initialized");
    session.talk.client.notify("note");
    EXPECT_EQ(session.ask("work")["result"], "done");
    EXPECT_TRUE(session.ask("shutdown")["result"].is_null());
    EXPECT_EQ(session.life.state(), Lifecycle::State::shut_down);
    session.talk.client.notify("exit");
    EXPECT_EQ(session.ended().exit_code, 0);
    EXPECT_EQ(session.end->reason, "exit");
    EXPECT_TRUE(session.talk.client.sees_end());
    EXPECT_THAT(session.events, ElementsAre("initialize", "initialized", "note", "shutdown"));
}

TEST(Lifecycle, shutdown_and_exit_in_one_breath_still_answer) {
    Session session;
    session.initialize();
    session.talk.client.request(1, "shutdown", nullptr);
    session.talk.client.notify("exit");
    EXPECT_EQ(session.talk.client.next()["id"], 1);
    EXPECT_EQ(session.ended().exit_code, 0);
}

TEST(Lifecycle, before_initialize_nothing_is_served) {
    Session session;
    EXPECT_EQ(error_code(session.ask("work")), code(ErrorCode::server_not_initialized));
    EXPECT_EQ(error_code(session.ask("shutdown")), code(ErrorCode::server_not_initialized));
    EXPECT_EQ(error_code(session.ask("no/such")), code(ErrorCode::server_not_initialized));
    session.talk.client.notify("note");
    session.talk.client.notify("initialized");
    session.initialize();
    EXPECT_THAT(session.events, ElementsAre("initialize"));
}

TEST(Lifecycle, exit_works_at_any_time_and_says_whether_it_was_expected) {
    Session early;
    early.talk.client.notify("exit");
    EXPECT_EQ(early.ended().exit_code, 1);
    Session late;
    late.initialize();
    late.talk.client.notify("exit");
    EXPECT_EQ(late.ended().exit_code, 1);
}

TEST(Lifecycle, a_second_initialize_is_refused_and_so_is_all_after_shutdown) {
    Session session;
    session.initialize();
    EXPECT_EQ(error_code(session.initialize()), code(ErrorCode::invalid_request));
    EXPECT_EQ(session.ask("work")["result"], "done");
    session.ask("shutdown");
    for (const char* method : {"work", "initialize", "shutdown", "no/such"})
        EXPECT_EQ(error_code(session.ask(method)), code(ErrorCode::invalid_request)) << method;
    session.talk.client.notify("note");
    session.ask("work");
    EXPECT_THAT(session.events, ElementsAre("initialize", "shutdown"));
}

TEST(Lifecycle, a_refused_initialize_may_be_tried_again) {
    Session session;
    session.refuse_initialize = true;
    EXPECT_EQ(error_code(session.initialize()), code(ErrorCode::request_failed));
    EXPECT_EQ(error_code(session.initialize({{"processId", "me"}})), code(ErrorCode::invalid_params));
    EXPECT_EQ(error_code(session.initialize(Json::array())), code(ErrorCode::invalid_params));
    session.refuse_initialize = false;
    EXPECT_TRUE(session.initialize().contains("result"));
}

TEST(Lifecycle, the_end_of_the_stream_ends_the_session) {
    Session session;
    session.initialize();
    session.talk.client.hang_up();
    EXPECT_EQ(session.ended().exit_code, 1);
    Session polite;
    polite.initialize();
    polite.ask("shutdown");
    polite.talk.client.hang_up();
    EXPECT_EQ(polite.ended().exit_code, 0);
}

TEST(Lifecycle, without_the_token_a_client_is_sent_away) {
    for (const Json& options :
         {Json(), Json{{"token", ""}}, Json{{"token", "secre"}}, Json{{"token", "secrets"}},
          Json{{"token", "Secret"}}, Json{{"token", 7}}, Json{{"token", "secretsecret"}}, Json("secret"),
          Json{{"token", Json::array({"secret"})}}}) {
        Session session({.token = "secret"});
        const Json answer =
            session.initialize({{"capabilities", Json::object()}, {"initializationOptions", options}});
        EXPECT_EQ(error_code(answer), code(ErrorCode::request_failed)) << options;
        EXPECT_THAT(answer["error"]["message"].get<std::string>(), HasSubstr("initializationOptions.token"));
        EXPECT_TRUE(session.talk.client.sees_end());
        EXPECT_EQ(session.ended().exit_code, 1);
        EXPECT_THAT(session.events, IsEmpty());
    }
    Session session({.token = "secret"});
    const Json params = {{"capabilities", Json::object()}, {"initializationOptions", {{"token", "secret"}}}};
    EXPECT_TRUE(session.initialize(params).contains("result"));
    EXPECT_EQ(session.ask("work")["result"], "done");
}

/// Anybody on the machine can connect to a port.
TEST(Lifecycle, who_has_not_presented_the_token_may_say_little) {
    Session session({.token = "secret"}, {.max_stranger_bytes = 1000});
    const Json large = {{"text", std::string(1000, 'x')}};
    EXPECT_EQ(error_code(session.ask("work", large)), code(ErrorCode::parse_error));
    const Json params = {{"capabilities", Json::object()}, {"initializationOptions", {{"token", "secret"}}}};
    EXPECT_TRUE(session.initialize(params).contains("result"));
    EXPECT_EQ(session.ask("work", large)["result"], "done");
}

TEST(Lifecycle, who_has_not_presented_the_token_may_ask_little) {
    Session session({.token = "secret"}, {.max_stranger_bytes = 1000});
    for (int i = 0; i < 10'000 && session.talk.server.is_open(); ++i) {
        session.talk.client.request(i, "work"); // and never reads the answers
        session.talk.loop.poll();
        EXPECT_LE(session.talk.server.queued_bytes(), 1100);
    }
    EXPECT_EQ(session.ended().exit_code, 1);
}

TEST(Lifecycle, who_does_not_present_the_token_in_time_is_sent_away) {
    Session slow({.token = "secret"}, {.stranger_patience = std::chrono::milliseconds(1)});
    EXPECT_TRUE(slow.talk.client.sees_end());
    EXPECT_THAT(slow.ended().reason, HasSubstr("did not say who it is"));
    Session trusted({}, {.stranger_patience = std::chrono::milliseconds(1)});
    Session quick({.token = "secret"}, {.stranger_patience = std::chrono::milliseconds(200)});
    const Json params = {{"capabilities", Json::object()}, {"initializationOptions", {{"token", "secret"}}}};
    EXPECT_TRUE(quick.initialize(params).contains("result"));
    trusted.initialize();
    Session slower({.token = "secret"}, {.stranger_patience = std::chrono::milliseconds(300)});
    slower.ended(); // by then the time of the others would be over
    EXPECT_EQ(trusted.ask("work")["result"], "done");
    EXPECT_EQ(quick.ask("work")["result"], "done");
}

TEST(Lifecycle, trace_is_set_by_initialize) {
    Session session;
    session.initialize({{"capabilities", Json::object()}, {"trace", "messages"}});
    EXPECT_EQ(session.talk.server.trace(), TraceValue::messages);
}

/// A process that waits until it is told to end.
class OtherProcess {
  public:
    OtherProcess() : id_(::fork()) {
        if (id_ == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL); // should the test fail before end()
            while (true) ::pause();
        }
    }
    void end() const { ::kill(id_, SIGKILL); }
    void reap() const { ::waitpid(id_, nullptr, 0); }
    [[nodiscard]] pid_t id() const { return id_; }

  private:
    pid_t id_;
};

TEST(Lifecycle, the_death_of_the_clients_process_ends_the_session) {
    const OtherProcess editor;
    Session session;
    session.initialize({{"capabilities", Json::object()}, {"processId", editor.id()}});
    EXPECT_EQ(session.ask("work")["result"], "done");
    editor.end();
    EXPECT_THAT(session.ended().reason, HasSubstr("process " + std::to_string(editor.id()) + " died"));
    editor.reap();
}

TEST(Lifecycle, a_process_that_is_gone_already_ends_the_session) {
    const OtherProcess editor;
    editor.end();
    editor.reap();
    Session session;
    session.talk.client.request(1, "initialize",
                                {{"capabilities", Json::object()}, {"processId", editor.id()}});
    EXPECT_THAT(session.ended().reason, HasSubstr("died"));
}

TEST(Lifecycle, odd_process_ids_are_not_watched) {
    for (const int process : {0, -1, -2147483647}) {
        Session session;
        session.initialize({{"capabilities", Json::object()}, {"processId", process}});
        EXPECT_EQ(session.ask("work")["result"], "done");
    }
}

} // namespace
} // namespace heddle::lsp
