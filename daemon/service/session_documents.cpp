// Sessions: texts of documents, and the diagnostics that belong to them, sent or asked for.
#include "daemon/service/content_hash.h"
#include "daemon/service/session.h"
#include "lsp/protocol/text_sync.h"
#include "lsp/protocol/workspace.h"
#include "lsp/uri.h"

#include <chrono>
#include <utility>

#include <boost/asio/post.hpp>

namespace heddle::service {

namespace {
constexpr std::chrono::milliseconds kPauseInTyping{100};
constexpr std::chrono::milliseconds kLongestTurn{3}; ///< of the loop
} // namespace

void Session::handle_documents() {
    lsp::handle_notification<lsp::DidOpenTextDocumentParams>(
        connection_, "textDocument/didOpen", [this](const lsp::DidOpenTextDocumentParams& params) {
            const auto path = lsp::path_of_uri(params.textDocument.uri);
            if (!path) return;
            texts_.open(*path, params.textDocument.text, params.textDocument.version);
            trees_.closed(*path); // of an earlier text
            open_uris_[*path] = params.textDocument.uri;
            bugs_changed(with_other_places({*path}));
        });
    lsp::handle_notification<lsp::DidChangeTextDocumentParams>(
        connection_, "textDocument/didChange",
        [this](const lsp::DidChangeTextDocumentParams& params) { edited(params); });
    lsp::handle_notification<lsp::DidSaveTextDocumentParams>(
        connection_, "textDocument/didSave", [this](const lsp::DidSaveTextDocumentParams& params) {
            for (auto& [root, workspace] : workspaces_) workspace->reread_files();
            const auto path = lsp::path_of_uri(params.textDocument.uri);
            if (!path) return;
            bugs_changed({*path});
            saved(*path);
        });
    lsp::handle_notification<lsp::DidCloseTextDocumentParams>(
        connection_, "textDocument/didClose", [this](const lsp::DidCloseTextDocumentParams& params) {
            const auto path = lsp::path_of_uri(params.textDocument.uri);
            if (!path) return;
            texts_.close(*path);
            trees_.closed(*path);
            open_uris_.erase(*path);
            bugs_changed(with_other_places({*path}));
        });
}

/// What is asked from here on is answered for the new text. Diagnostics that were sent move a moment later,
/// as people type faster than they read; clients that ask for them do so by themselves.
void Session::edited(const lsp::DidChangeTextDocumentParams& params) {
    const auto path = lsp::path_of_uri(params.textDocument.uri);
    if (!path) return;
    const auto edits = texts_.edit(*path, params.contentChanges, params.textDocument.version);
    if (!edits) return connection_.report(lsp::LogLevel::warning, edits.error().message);
    drift_.edited(*path, *edits, texts_);
    if (const lsp::TextDocument* document = texts_.find_open(*path)) trees_.edited(*path, *edits, *document);
    if (pulls() || !published_.contains(*path)) return;
    edited_.insert(*path);
    pause_in_typing_.expires_after(kPauseInTyping);
    pause_in_typing_.async_wait([this, alive = alive_](const boost::system::error_code& error) {
        if (error || !*alive) return;
        changed_.merge(with_other_places(std::exchange(edited_, {})));
        publish_later();
    });
}

/// And the files that have the other places of bugs in these: what is told there names lines of these.
std::set<std::string> Session::with_other_places(const std::set<std::string>& files) const {
    std::set<std::string> result = files;
    for (const auto& [root, workspace] : workspaces_) {
        for (const std::string& file : files) {
            for (const Bug* bug : workspace->visible_in(file)) {
                for (const report::ReportedAccess& access : bug->best()->accesses)
                    result.insert(workspace->bugs().absolute(workspace->bugs().shown(access)));
            }
        }
    }
    result.erase("");
    return result;
}

std::string Session::uri_of(const std::string& file) const {
    const auto open = open_uris_.find(file);
    return open == open_uris_.end() ? lsp::uri_of_path(file) : open->second;
}

void Session::bugs_changed(const std::set<std::string>& files) {
    changed_.insert(files.begin(), files.end());
    status_changed();
    publish_later();
}

void Session::runs_changed() {
    annotations_changed_ = true;
    publish_later();
}

void Session::publish_later() {
    if ((changed_.empty() && !annotations_changed_) || std::exchange(publishing_, true)) return;
    boost::asio::post(hub_.loop(), [this, alive = alive_] {
        if (!*alive) return;
        publishing_ = false;
        publish();
    });
}

void Session::publish() {
    if (lifecycle_.state() != lsp::Lifecycle::State::initialized) return;
    if (std::exchange(annotations_changed_, false)) refresh_annotations();
    if (changed_.empty()) return;
    if (pulls()) {
        changed_.clear();
        connection_.request(lsp::kDiagnosticRefresh, nullptr, [](const lsp::Outcome&) {});
        return answer_workspace_pull();
    }
    // Hundreds of files take their time: what was asked meanwhile is answered in between.
    const auto pause_at = std::chrono::steady_clock::now() + kLongestTurn;
    while (!changed_.empty()) {
        if (std::chrono::steady_clock::now() > pause_at) return publish_later();
        const std::string file = std::move(changed_.extract(changed_.begin()).value());
        lsp::PublishDiagnosticsParams params{
            .uri = uri_of(file), .version = std::nullopt, .diagnostics = diagnostics_of(file)};
        if (params.diagnostics.empty() && published_.erase(file) == 0) continue; // never had any
        if (!params.diagnostics.empty()) published_.insert(file);
        if (const lsp::TextDocument* open = texts_.find_open(file);
            open != nullptr && client_.diagnosticVersion)
            params.version = open->version();
        connection_.notify("textDocument/publishDiagnostics", params);
    }
}

/// Those that are visible, without those that a comment hides; which these are the status needs to know.
std::vector<const Bug*> Session::shown_in(const Workspace& workspace, const present::View& view,
                                          const std::string& file) {
    std::vector<const Bug*> result = workspace.visible_in(file);
    std::erase_if(result, [&](const Bug* bug) {
        const bool ignored = present::is_ignored(view, *bug);
        if (ignored ? ignored_.insert(bug->key).second : ignored_.erase(bug->key) != 0) status_changed();
        return ignored;
    });
    return result;
}

std::vector<present::Mark> Session::marks_of(const std::string& file) {
    std::vector<present::Mark> result;
    for (const auto& [root, workspace] : workspaces_) {
        const present::View view{workspace->bugs(), client_, texts_, drift_};
        const std::vector<present::Mark> marks = present::marks(view, shown_in(*workspace, view, file), file);
        result.insert(result.end(), marks.begin(), marks.end());
    }
    return result;
}

std::vector<lsp::Diagnostic> Session::diagnostics_of(const std::string& file) {
    std::vector<lsp::Diagnostic> result;
    for (const auto& [root, workspace] : workspaces_) {
        const present::View view{workspace->bugs(), client_, texts_, drift_};
        for (const present::Mark& mark : present::marks(view, shown_in(*workspace, view, file), file))
            result.push_back(present::diagnostic(view, mark));
    }
    return result;
}

lsp::DocumentDiagnosticReport Session::pulled(const std::string& file,
                                              const std::optional<std::string>& known) {
    std::vector<lsp::Diagnostic> items = diagnostics_of(file);
    std::string id = hash_name(lsp::to_text(lsp::Json(items)));
    if (id == known) return {.resultId = std::move(id), .items = std::nullopt, .relatedDocuments = {}};
    return {.resultId = std::move(id), .items = std::move(items), .relatedDocuments = {}};
}

void Session::pull_document(const lsp::DocumentDiagnosticParams& params, lsp::Reply reply) {
    const auto path = lsp::path_of_uri(params.textDocument.uri);
    if (!path)
        return reply.answer(lsp::DocumentDiagnosticReport{
            .resultId = {}, .items = std::vector<lsp::Diagnostic>{}, .relatedDocuments = {}});
    reply.answer(pulled(*path, params.previousResultId));
}

void Session::pull_workspace(const lsp::WorkspaceDiagnosticParams& params, lsp::Reply reply) {
    refuse_waiting_pull("another such request has come");
    const std::stop_token stop = reply.stop_token();
    waiting_pull_.emplace(params, std::move(reply));
    pull_cancelled_.emplace(stop, [this, alive = alive_, stop] {
        // Not from within the callback, which must outlive its own call.
        boost::asio::post(hub_.loop(), [this, alive, stop] {
            if (!*alive || !waiting_pull_ || waiting_pull_->second.stop_token() != stop) return;
            waiting_pull_->second.refuse_cancelled();
            waiting_pull_.reset();
        });
    });
    answer_workspace_pull();
}

/// Not to be asked again: the client either has, or is about to leave.
void Session::refuse_waiting_pull(std::string why) {
    pull_cancelled_.reset();
    if (!waiting_pull_) return;
    lsp::ResponseError error = lsp::response_error(lsp::ErrorCode::server_cancelled, std::move(why));
    error.data = {{"retriggerRequest", false}};
    waiting_pull_->second.refuse(std::move(error));
    waiting_pull_.reset();
}

void Session::answer_workspace_pull() {
    if (!waiting_pull_) return;
    std::map<std::string, std::string> known;
    for (const lsp::PreviousResultId& previous : waiting_pull_->first.previousResultIds) {
        if (const auto path = lsp::path_of_uri(previous.uri)) known[*path] = previous.value;
    }
    std::set<std::string> files;
    for (const auto& [path, id] : known) files.insert(path);
    for (const auto& [root, workspace] : workspaces_) {
        for (const std::string& file : workspace->bugs().files()) files.insert(file);
    }
    lsp::WorkspaceDiagnosticReport report;
    bool news = known.empty();
    for (const std::string& file : files) {
        const auto before = known.find(file);
        lsp::DocumentDiagnosticReport one =
            pulled(file, before == known.end() ? std::nullopt : std::optional(before->second));
        news = news || one.items.has_value();
        std::optional<std::int32_t> version;
        if (const lsp::TextDocument* open = texts_.find_open(file)) version = open->version();
        report.items.push_back({uri_of(file), version, std::move(one)});
    }
    if (!news) return;
    waiting_pull_->second.answer(report);
    waiting_pull_.reset();
}

} // namespace heddle::service
