// Sessions: running the user's programs, to record or to replay them. Nothing is run but what the person
// asked for and has seen.
#include "analysis/source/grammar.h"
#include "daemon/service/session.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::service {

void Session::ask(const std::string& question, const std::string& command, lsp::Reply reply,
                  std::function<void(lsp::Reply)> run) {
    if (agreed_.contains(command)) return run(std::move(reply));
    auto shared = std::make_shared<lsp::Reply>(std::move(reply));
    connection_.request(
        "window/showMessageRequest",
        lsp::ShowMessageRequestParams{
            lsp::MessageType::warning, fmt::format("{} {}", question, command), {{"Run"}, {"Do not run"}}},
        [this, alive = alive_, command, shared, run = std::move(run)](const lsp::Outcome& answer) {
            if (!*alive) return;
            if (!answer || lsp::text_member(*answer, "title") != "Run")
                return shared->refuse(lsp::ErrorCode::request_failed, "not run: you did not agree");
            agreed_.insert(command);
            run(std::move(*shared));
        });
}

void Session::record_tests(lsp::Reply reply) {
    const auto configured = std::ranges::find_if(
        workspaces_, [](const auto& one) { return !one.second->settings().test_command.value.empty(); });
    if (configured == workspaces_.end()) {
        return reply.refuse(lsp::ErrorCode::request_failed,
                            "no test command is set: put heddle.testCommand into the editor's settings, or "
                            "testCommand into .heddle/config.json");
    }
    const std::shared_ptr<Workspace> workspace = configured->second;
    const settings::Settings& settings = workspace->settings();
    if (!settings.test_command_needs_consent()) return run_tests(workspace, std::move(reply));
    // The folder may come from anywhere: what its own file wants to run is for the person to decide.
    if (!client_.messageActions) {
        return reply.refuse(
            lsp::ErrorCode::request_failed,
            "the test command comes from the workspace's own .heddle/config.json; to run it, put it "
            "into the editor's settings (heddle.testCommand)");
    }
    ask("Run this command of .heddle/config.json?",
        fmt::format("{}", fmt::join(settings.test_command.value, " ")), std::move(reply),
        [this, workspace](lsp::Reply agreed) { run_tests(workspace, std::move(agreed)); });
}

void Session::run_tests(const std::shared_ptr<Workspace>& workspace, lsp::Reply reply) {
    if (recording_)
        return reply.refuse(lsp::ErrorCode::request_failed, "the tests are being recorded already");
    auto shared = std::make_shared<lsp::Reply>(std::move(reply));
    record(workspace, [shared](const heddle::Result<ToolRun::Result>& result) {
        if (!result) return shared->refuse(lsp::ErrorCode::request_failed, result.error().message);
        shared->answer({{"status", result->status}, {"output", result->output}});
    });
}

void Session::record(const std::shared_ptr<Workspace>& workspace, Recorded recorded) {
    const settings::Settings& settings = workspace->settings();
    const auto folder = std::filesystem::path(workspace->root()) / settings.test_folder.value;
    auto progress =
        std::make_shared<lsp::WorkProgress>(progress_.begin({.title = "Heddle: recording tests",
                                                             .cancellable = true,
                                                             .client_token = {},
                                                             .interval = std::chrono::milliseconds{100}}));
    std::vector<std::string> words = {"record", "--anyway", "--"};
    words.insert(words.end(), settings.test_command.value.begin(), settings.test_command.value.end());
    auto started = ToolRun::start(
        hub_.loop(), {.words = std::move(words), .folder = folder.string(), .stop = progress->stop_token()},
        [this, recorded, progress](const ToolRun::Result& result) {
            const bool wanted = !progress->stop_token().stop_requested(); // who cancelled it knows that
            progress->end();
            if (!result.output.empty()) log_to_client(lsp::MessageType::info, result.output);
            if (result.status != 0 && wanted)
                show_to_client(lsp::MessageType::warning,
                               fmt::format("The tests ended with status {}; see the log.", result.status));
            recorded(result);
            const std::unique_ptr<ToolRun> ended = std::move(recording_);
            if (const auto next = std::exchange(record_next_, nullptr)) record(next, [](const auto&) {});
            status_changed();
        });
    if (!started) return recorded(tl::make_unexpected(started.error()));
    recording_ = std::move(*started);
    status_changed();
}

/// Runs the tests, where the person's own settings ask for it. What is saved meanwhile counts for one more
/// run after this one.
void Session::saved(const std::string& file) {
    if (!language_of(file)) return;
    for (const auto& [root, workspace] : workspaces_) {
        if (!file.starts_with(root + "/") || !workspace->settings().runs_on_save()) continue;
        if (recording_) {
            record_next_ = workspace;
        } else {
            record(workspace, [this](const heddle::Result<ToolRun::Result>& result) {
                if (!result) show_to_client(lsp::MessageType::error, result.error().message);
            });
        }
        return;
    }
}

void Session::replay(const std::string& key, lsp::Reply reply) {
    const Known known = find(key);
    if (known.bug == nullptr)
        return reply.refuse(lsp::ErrorCode::request_failed,
                            "this finding is gone: a later run no longer shows it");
    const Sighting& sighting = known.bug->best();
    if (sighting->schedule.empty())
        return reply.refuse(lsp::ErrorCode::request_failed, "there is no witness: " + sighting->why);
    if (sighting.report->command.empty())
        return reply.refuse(
            lsp::ErrorCode::request_failed,
            "the trace does not tell how the program was started: record it with heddle record, "
            "or use heddle replay in a terminal, which takes the command after --");
    // A trace may come from anywhere, too. Who cannot be asked has read the command in the action's title.
    if (!client_.messageActions) return run_replay(key, std::move(reply));
    ask("Run this program, as it was recorded, on the schedule of the witness?", sighting.report->command,
        std::move(reply), [this, key](lsp::Reply agreed) { run_replay(key, std::move(agreed)); });
}

void Session::run_replay(const std::string& key, lsp::Reply reply) {
    const Known known = find(key);
    if (known.bug == nullptr || replaying_)
        return reply.refuse(lsp::ErrorCode::request_failed,
                            replaying_ ? "another witness is being replayed" : "this finding is gone");
    const Sighting& sighting = known.bug->best();
    const std::shared_ptr<Workspace> workspace = workspaces_.at(known.workspace->root());
    auto shared = std::make_shared<lsp::Reply>(std::move(reply));
    auto progress =
        std::make_shared<lsp::WorkProgress>(progress_.begin({.title = "Heddle: replaying a witness",
                                                             .cancellable = true,
                                                             .client_token = {},
                                                             .interval = std::chrono::milliseconds{100}}));
    auto started = ToolRun::start(
        hub_.loop(),
        {.words = {"replay", "--format", "json", "--key", sighting->recorded_key, sighting.trace},
         .folder = workspace->root(),
         .stop = progress->stop_token(),
         .ends_itself = true},
        [this, shared, progress, workspace, trace = sighting.trace,
         headline = sighting->headline](const ToolRun::Result& result) {
            log_to_client(lsp::MessageType::info, result.output);
            // Who hears that it is confirmed finds it so in the list.
            workspace->traces().look_again(trace, [this, alive = alive_, shared, progress, headline, result] {
                if (!*alive) return;
                progress->end();
                told_replay(headline, result, *shared);
            });
            replaying_.reset();
        });
    if (!started) return shared->refuse(lsp::ErrorCode::request_failed, started.error().message);
    replaying_ = std::move(*started);
}

void Session::told_replay(const std::string& headline, const ToolRun::Result& result, lsp::Reply& reply) {
    constexpr int kConfirmed = 0;
    constexpr int kNotConfirmed = 1;
    const std::size_t begin = result.output.find('{'); // what comes before is for people
    lsp::Json told =
        begin == std::string::npos
            ? lsp::Json()
            : lsp::parse_json(std::string_view(result.output).substr(begin)).value_or(lsp::Json());
    if (result.status == kConfirmed) {
        show_to_client(lsp::MessageType::info,
                       fmt::format("Confirmed: {}. The program took the schedule.", headline));
    } else if (result.status == kNotConfirmed) {
        show_to_client(lsp::MessageType::warning,
                       fmt::format("Not confirmed: {}. {}", headline, lsp::text_member(told, "explanation")));
    } else {
        return reply.refuse(lsp::ErrorCode::request_failed,
                            result.output.empty() ? "the replay was ended" : result.output);
    }
    reply.answer(std::move(told));
}

} // namespace heddle::service
