// Sessions: hovers and commands.
#include "daemon/present/hover.h"
#include "daemon/present/witness_now.h"
#include "daemon/service/commands.h"
#include "daemon/service/request_parts.h"
#include "daemon/service/session.h"
#include "daemon/service/witness_page.h"
#include "lsp/uri.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::service {

namespace {

/// The one argument of a command on a bug, as the code action made it: {"bug": KEY}.
std::string bug_argument(const lsp::ExecuteCommandParams& params) {
    return params.arguments.empty() ? std::string() : lsp::text_member(params.arguments[0], "bug");
}

/// An editor that has a view of its own for schedules asks for the answer alone: {"bug": KEY, "show": false}.
bool draws_itself(const lsp::ExecuteCommandParams& params) {
    return !params.arguments.empty() && params.arguments[0].is_object() &&
           params.arguments[0].value("show", lsp::Json(true)) == false;
}

} // namespace

void Session::handle_requests() {
    on_request<lsp::HoverParams>("textDocument/hover", &Session::hover);
    on_request<lsp::CodeActionParams>("textDocument/codeAction", &Session::code_actions);
    on_request<lsp::CodeAction>("codeAction/resolve", &Session::resolve_action);
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
    for (const auto& [root, workspace] : workspaces_) {
        const present::View view{workspace->bugs(), client_, texts_, drift_};
        for (const present::Mark& mark : present::marks(view, shown_in(*workspace, view, *path), *path)) {
            if (!touches(mark.range, {params.position, params.position})) continue;
            if (!result.contents.value.empty())
                result.contents.value += client_.hoverMarkdown ? "\n---\n\n" : "\n";
            result.contents.value += client_.hoverMarkdown
                                         ? present::bug_markdown(view, *mark.bug, mark.access)
                                         : present::bug_text(view, *mark.bug, mark.access);
            if (!result.range) result.range = mark.range;
        }
    }
    if (result.contents.value.empty()) return reply.answer(nullptr);
    result.contents.kind = client_.hoverMarkdown ? lsp::MarkupKind::markdown : lsp::MarkupKind::plaintext;
    reply.answer(result);
}

void Session::execute(const lsp::ExecuteCommandParams& params, lsp::Reply reply) {
    if (params.command == kStatus) return reply.answer(hub_.status());
    if (params.command == kFindings) return reply.answer(findings());
    if (params.command == kShowWitness) return show_witness(params, std::move(reply));
    if (params.command == kSuppress) return suppress(bug_argument(params), std::move(reply));
    if (params.command == kReplay) return replay(bug_argument(params), std::move(reply));
    if (params.command == kAccesses)
        return accesses(params.arguments.empty() ? lsp::Json() : params.arguments[0], std::move(reply));
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

void Session::show_witness(const lsp::ExecuteCommandParams& params, lsp::Reply reply) {
    const std::string key = bug_argument(params);
    const Known known = find(key);
    if (known.bug == nullptr)
        return reply.refuse(lsp::ErrorCode::request_failed,
                            "this finding is gone: a later run no longer shows it");
    const Sighting& sighting = known.bug->best();
    if (sighting->schedule.empty())
        return reply.refuse(lsp::ErrorCode::request_failed, "there is no witness: " + sighting->why);
    const present::View view{known.workspace->bugs(), client_, texts_, drift_};
    lsp::Json result = present::witness_now(view, sighting);
    result["trace"] = sighting.trace;
    result["bug"] = key;
    result["folder"] = known.workspace->root();
    result["headline"] = sighting->headline;
    result["state"] = report::kCertaintyNames[static_cast<std::size_t>(sighting->certainty)];
    result["markdown"] = present::bug_markdown(view, *known.bug, 0);
    if (!draws_itself(params)) open_witness_page(*known.bug, present::bug_text(view, *known.bug, 0), result);
    reply.answer(std::move(result));
}

void Session::open_witness_page(const Bug& bug, const std::string& text, lsp::Json& result) {
    const auto page = write_witness_page(bug.key, result["markdown"].get<std::string>());
    if (page && client_.showDocument) {
        result["document"] = lsp::uri_of_path(*page);
        connection_.request(
            "window/showDocument",
            lsp::ShowDocumentParams{
                .uri = lsp::uri_of_path(*page), .external = {}, .takeFocus = true, .selection = {}},
            [this, alive = alive_, text](const lsp::Outcome& shown) {
                if (!*alive || (shown && shown->is_object() && shown->value("success", lsp::Json()) == true))
                    return;
                show_to_client(lsp::MessageType::info, text);
            });
    } else {
        show_to_client(lsp::MessageType::info, text);
    }
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

} // namespace heddle::service
