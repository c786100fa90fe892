// Sessions: hovers, code actions, and commands.
#include "daemon/present/hover.h"
#include "daemon/service/commands.h"
#include "daemon/service/session.h"
#include "daemon/service/witness_page.h"
#include "lsp/uri.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::service {

namespace {

bool touches(const lsp::Range& mark, const lsp::Range& asked) {
    return mark.start <= asked.end && asked.start <= mark.end;
}

/// A member of what the client sent, when that is an object and the member a text; otherwise nothing.
std::string text_member(const lsp::Json& json, const char* name) {
    if (!json.is_object()) return {};
    const auto found = json.find(name);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// The one argument of a command on a bug, as the code action made it: {"bug": KEY}.
std::string bug_argument(const lsp::ExecuteCommandParams& params) {
    return params.arguments.empty() ? std::string() : text_member(params.arguments[0], "bug");
}

} // namespace

void Session::handle_requests() {
    on_request<lsp::HoverParams>("textDocument/hover", &Session::hover);
    on_request<lsp::CodeActionParams>("textDocument/codeAction", &Session::code_actions);
    on_request<lsp::ExecuteCommandParams>("workspace/executeCommand", &Session::execute);
    on_request<lsp::DocumentDiagnosticParams>("textDocument/diagnostic", &Session::pull_document);
    on_request<lsp::WorkspaceDiagnosticParams>("workspace/diagnostic", &Session::pull_workspace);
    connection_.on_request(kStatusRequest,
                           [this](const lsp::Json&, lsp::Reply reply) { reply.answer(hub_.status()); });
    connection_.on_request(kStopRequest, [this](const lsp::Json&, lsp::Reply reply) {
        if (!hub_.stop)
            return reply.refuse(lsp::ErrorCode::request_failed, "this daemon ends with its editor");
        reply.answer(true);
        hub_.stop();
    });
}

Session::Known Session::find(const std::string& key) const {
    for (const auto& [root, workspace] : workspaces_) {
        if (const Bug* bug = workspace->bugs().find(key)) return {workspace.get(), bug};
    }
    return {};
}

void Session::hover(const lsp::HoverParams& params, lsp::Reply reply) {
    const auto path = lsp::path_of_uri(params.textDocument.uri);
    if (!path) return reply.answer(nullptr);
    lsp::Hover result;
    for (const present::Mark& mark : marks_of(*path)) {
        if (!touches(mark.range, {params.position, params.position})) continue;
        if (!result.contents.value.empty())
            result.contents.value += client_.hoverMarkdown ? "\n---\n\n" : "\n";
        result.contents.value += client_.hoverMarkdown ? present::bug_markdown(*mark.bug, mark.access)
                                                       : present::bug_text(*mark.bug, mark.access);
        if (!result.range) result.range = mark.range;
    }
    if (result.contents.value.empty()) return reply.answer(nullptr);
    result.contents.kind = client_.hoverMarkdown ? lsp::MarkupKind::markdown : lsp::MarkupKind::plaintext;
    reply.answer(result);
}

void Session::code_actions(const lsp::CodeActionParams& params, lsp::Reply reply) {
    const auto path = lsp::path_of_uri(params.textDocument.uri);
    lsp::Json actions = lsp::Json::array();
    if (!path || !lsp::wants_kind(params.context, "quickfix")) return reply.answer(std::move(actions));
    const auto offer = [&](std::string title, const char* command, const Bug& bug) {
        const lsp::Command call{std::move(title), command, {lsp::Json{{"bug", bug.key}}}};
        if (!client_.codeActionLiterals) return actions.push_back(call);
        lsp::CodeAction action;
        action.title = call.title;
        action.kind = "quickfix";
        action.command = call;
        for (const lsp::Diagnostic& diagnostic : params.context.diagnostics) {
            if (diagnostic.data && text_member(*diagnostic.data, "bug") == bug.key)
                action.diagnostics.push_back(diagnostic);
        }
        actions.push_back(action);
    };
    std::set<std::string> offered;
    for (const present::Mark& mark : marks_of(*path)) {
        if (!touches(mark.range, params.range) || !offered.insert(mark.bug->key).second) continue;
        const std::string what = mark.bug->best()->headline;
        if (!mark.bug->best()->schedule.empty())
            offer("Show witness schedule: " + what, kShowWitness, *mark.bug);
        offer("Suppress in the suppressions file: " + what, kSuppress, *mark.bug);
    }
    reply.answer(std::move(actions));
}

void Session::execute(const lsp::ExecuteCommandParams& params, lsp::Reply reply) {
    if (params.command == kStatus) return reply.answer(hub_.status());
    if (params.command == kShowWitness) return show_witness(bug_argument(params), std::move(reply));
    if (params.command == kSuppress) return suppress(bug_argument(params), std::move(reply));
    if (params.command == kRecordTests) return record_tests(std::move(reply));
    if (params.command == kAnalyseNow || params.command == kClear) {
        for (auto& [root, workspace] : workspaces_) {
            if (params.command == kClear) {
                workspace->traces().clear();
            } else {
                workspace->analyse_again();
            }
        }
        return reply.answer(nullptr);
    }
    reply.refuse(lsp::ErrorCode::invalid_params, fmt::format("{} is no command of heddle", params.command));
}

void Session::show_witness(const std::string& key, lsp::Reply reply) {
    const Known known = find(key);
    if (known.bug == nullptr)
        return reply.refuse(lsp::ErrorCode::request_failed,
                            "this finding is gone: a later run no longer shows it");
    const Sighting& sighting = known.bug->best();
    if (sighting->schedule.empty())
        return reply.refuse(lsp::ErrorCode::request_failed, "there is no witness: " + sighting->why);
    lsp::Json result = lsp::parse_json(sighting->witness_json).value_or(lsp::Json::object());
    result["trace"] = sighting.trace;
    result["bug"] = key;
    result["markdown"] = present::bug_markdown(*known.bug, 0);
    const auto page = write_witness_page(key, result["markdown"].get<std::string>());
    if (page && client_.showDocument) {
        result["document"] = lsp::uri_of_path(*page);
        connection_.request(
            "window/showDocument",
            lsp::ShowDocumentParams{
                .uri = lsp::uri_of_path(*page), .external = {}, .takeFocus = true, .selection = {}},
            [](const lsp::Outcome&) {});
    } else {
        show_to_client(lsp::MessageType::info, present::bug_text(*known.bug, 0));
    }
    reply.answer(std::move(result));
}

void Session::suppress(const std::string& key, lsp::Reply reply) {
    const Known known = find(key);
    if (known.bug == nullptr)
        return reply.refuse(lsp::ErrorCode::request_failed,
                            "this finding is gone: a later run no longer shows it");
    const std::string file = known.workspace->suppressions_file();
    const auto line = known.workspace->suppress(*known.bug);
    if (!line) return reply.refuse(lsp::ErrorCode::request_failed, line.error().message);
    show_to_client(lsp::MessageType::info, fmt::format("Added '{}' to {}.", *line, file));
    reply.answer({{"file", file}, {"line", *line}});
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
    const lsp::ShowMessageRequestParams question{lsp::MessageType::warning,
                                                 fmt::format("Run this command of .heddle/config.json? {}",
                                                             fmt::join(settings.test_command.value, " ")),
                                                 {{"Run"}, {"Do not run"}}};
    auto shared = std::make_shared<lsp::Reply>(std::move(reply));
    connection_.request("window/showMessageRequest", question,
                        [this, alive = alive_, workspace, shared](const lsp::Outcome& answer) {
                            if (!*alive) return;
                            const bool agreed = answer && text_member(*answer, "title") == "Run";
                            if (agreed) return run_tests(workspace, std::move(*shared));
                            shared->refuse(lsp::ErrorCode::request_failed, "not run: you did not agree");
                        });
}

void Session::run_tests(const std::shared_ptr<Workspace>& workspace, lsp::Reply reply) {
    if (recording_)
        return reply.refuse(lsp::ErrorCode::request_failed, "the tests are being recorded already");
    const settings::Settings& settings = workspace->settings();
    const auto folder = std::filesystem::path(workspace->root()) / settings.test_folder.value;
    auto shared = std::make_shared<lsp::Reply>(std::move(reply));
    auto progress =
        std::make_shared<lsp::WorkProgress>(progress_.begin({.title = "Heddle: recording tests",
                                                             .cancellable = true,
                                                             .client_token = {},
                                                             .interval = std::chrono::milliseconds{100}}));
    auto started = TestRecording::start(
        hub_.loop(),
        {.command = settings.test_command.value, .folder = folder.string(), .stop = progress->stop_token()},
        [this, shared, progress](const TestRecording::Result& result) {
            progress->end();
            log_to_client(lsp::MessageType::info, result.output);
            if (result.status != 0)
                show_to_client(lsp::MessageType::warning,
                               fmt::format("The tests ended with status {}; see the log.", result.status));
            shared->answer({{"status", result.status}, {"output", result.output}});
            recording_.reset();
        });
    if (!started) return shared->refuse(lsp::ErrorCode::request_failed, started.error().message);
    recording_ = std::move(*started);
}

} // namespace heddle::service
