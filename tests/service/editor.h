// An editor that speaks to the daemon, and a project with a source and a trace, for conversations in tests.
#pragma once

#include "conversation.h"
#include "daemon/service/session.h"
#include "sample_run.h"
#include "test_files.h"

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace heddle::service {

using lsp::Json;

/// One editor.
class Editor {
  public:
    Editor(boost::asio::io_context& loop, Hub& hub) : Editor(loop, hub, lsp::test::socket_pair()) {}

    /// The answer to a request; what else the server says meanwhile is kept for wait().
    Json ask(const std::string& method, Json params) { return answer_to(send(method, std::move(params))); }
    int send(const std::string& method, Json params) {
        client_.request(++ids_, method, std::move(params));
        return ids_;
    }
    Json answer_to(int id) {
        return take([&](const Json& message) {
            return message.value("id", Json()) == id && !message.contains("method");
        });
    }
    void tell(const std::string& method, Json params) { client_.notify(method, std::move(params)); }
    /// The first notification or request of the server that satisfies the condition.
    Json wait(
        const std::string& method,
        const std::function<bool(const Json&)>& wanted = [](const Json&) { return true; }) {
        return take([&](const Json& message) {
            return message.value("method", "") == method && wanted(message["params"]);
        });
    }
    Json initialize(const std::string& root, Json capabilities, Json options = nullptr) {
        const Json answer = ask("initialize", {{"processId", nullptr},
                                               {"rootUri", "file://" + root},
                                               {"initializationOptions", std::move(options)},
                                               {"capabilities", std::move(capabilities)}});
        tell("initialized", Json::object());
        return answer["result"];
    }
    /// Until the daemon has analysed all that it knows of, schedules and all.
    void until_analysed() {
        const auto is_idle = [](const Json& workspaces) {
            bool found = false;
            for (const Json& one : workspaces) {
                if (one["analysing"] != 0) return false;
                found = found || one["traces"] != 0;
            }
            return found;
        };
        while (true) {
            const Json status = ask("workspace/executeCommand", {{"command", "heddle.status"}});
            if (status.is_null() || is_idle(status["result"]["workspaces"])) return;
        }
    }
    void answer(const Json& request, Json result) {
        client_.send({{"jsonrpc", "2.0"}, {"id", request["id"]}, {"result", std::move(result)}});
    }
    void hang_up() { client_.hang_up(); }
    [[nodiscard]] bool over() const { return session_ == nullptr; }

  private:
    Editor(boost::asio::io_context& loop, Hub& hub, lsp::test::DescriptorPair ends)
        : client_(loop, lsp::test::transport_over(loop, ends.other, ends.other)),
          session_(std::make_unique<Session>(
              hub, lsp::test::transport_over(loop, ends.one, ends.one),
              Session::Options{.lifecycle = {},
                               .ended = [this](const lsp::SessionEnd&) { session_.reset(); }})) {}

    Json take(const std::function<bool(const Json&)>& wanted) {
        for (auto i = kept_.begin(); i != kept_.end(); ++i) {
            if (!wanted(*i)) continue;
            Json found = *i;
            kept_.erase(i);
            return found;
        }
        while (true) {
            Json message = client_.next();
            if (message.is_null() || wanted(message)) return message;
            kept_.push_back(std::move(message));
        }
    }

    lsp::test::Client client_;
    std::unique_ptr<Session> session_;
    std::deque<Json> kept_;
    int ids_ = 0;
};

inline const Json kPush = {{"textDocument",
                            {{"publishDiagnostics", {{"relatedInformation", true}, {"dataSupport", true}}},
                             {"hover", {{"contentFormat", {"markdown", "plaintext"}}}}}}};

inline bool some(const Json& params) {
    return !params["diagnostics"].empty();
}
/// Some, and none of those that are shown while schedules are looked for.
inline bool settled(const Json& params) {
    for (const Json& one : params["diagnostics"]) {
        if (one["severity"] == 2) return false;
    }
    return some(params);
}
inline bool none(const Json& params) {
    return params["diagnostics"].empty();
}

struct SessionTest : testing::Test {
    SessionTest() { test::write_file(source, test::kSource); }

    test::TemporaryFolder folder;
    std::string root = folder.file("project");
    std::string source = root + "/bank.cpp";
    std::string uri = "file://" + source;
    std::string trace = root + "/.heddle/traces/bank.std";
    boost::asio::io_context loop;
    Hub hub{loop,
            {.settings = nullptr,
             .cache_folder = folder.file("cache"),
             .cache_bytes = 1'000'000,
             .debug_folders = {},
             .log = {}}};
};

} // namespace heddle::service
