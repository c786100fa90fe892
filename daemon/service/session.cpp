#include "daemon/service/session.h"

#include "daemon/service/commands.h"
#include "lsp/protocol/workspace.h"
#include "lsp/protocol/workspace_folders.h"
#include "lsp/uri.h"

#include <chrono>
#include <stop_token>
#include <utility>

#include <boost/asio/post.hpp>
#include <fmt/format.h>

namespace heddle::service {

namespace {

constexpr std::chrono::milliseconds kShortWork{300}; ///< of which no progress is shown

lsp::ServerCapabilities capabilities(lsp::PositionEncoding encoding, const lsp::ClientCapabilities& client,
                                     bool pulls) {
    lsp::ServerCapabilities result;
    result.positionEncoding = lsp::to_text(encoding);
    result.textDocumentSync.save = true;
    result.hoverProvider = true;
    result.codeActionProvider.emplace();
    if (client.codeActionLiterals)
        *result.codeActionProvider = {.codeActionKinds = {"quickfix"}, .resolveProvider = true};
    if (pulls) {
        result.diagnosticProvider = lsp::DiagnosticOptions{
            .identifier = "heddle", .interFileDependencies = true, .workspaceDiagnostics = true};
    }
    result.documentHighlightProvider = client.documentHighlight;
    result.referencesProvider = client.references;
    result.codeLensProvider = true; // Neovim 0.7 shows lenses and does not say so
    result.inlayHintProvider = client.inlayHint;
    result.executeCommands = {kShowWitness, kSuppress, kReplay,   kAnalyseNow, kRecordTests,
                              kClear,       kStatus,   kFindings, kAccesses};
    result.workspaceFolders = true;
    return result;
}

} // namespace

Session::Session(Hub& hub, std::unique_ptr<lsp::Transport> transport, Options options)
    : hub_(hub), options_(std::move(options)),
      connection_(hub.loop(), std::move(transport), {.limits = {}, .log = hub.log()}),
      lifecycle_(hub.loop(), connection_, options_.lifecycle,
                 {.initialize = [this](const lsp::InitializeParams& params) { return initialize(params); },
                  .initialized = [this] { initialized(); },
                  .shutdown = [this] { refuse_waiting_pull("the session ends"); },
                  .ended = [this](const lsp::SessionEnd& end) { ended(end); }}),
      progress_(connection_), trees_([this](const std::function<std::function<void()>()>& work) {
          hub_.pool().submit(0, [work, &loop = hub_.loop(), alive = alive_] {
              boost::asio::post(loop, [then = work(), alive] {
                  if (*alive) then();
              });
          });
      }),
      soon_busy_(hub.loop()), pause_in_typing_(hub.loop()) {
    ++hub_.clients;
    handle_documents();
    handle_requests();
    handle_annotations();
    lsp::handle_notification<lsp::DidChangeWorkspaceFoldersParams>(
        connection_, "workspace/didChangeWorkspaceFolders",
        [this](const lsp::DidChangeWorkspaceFoldersParams& params) {
            for (const lsp::WorkspaceFolder& folder : params.event.removed) close_folder(folder.uri);
            for (const lsp::WorkspaceFolder& folder : params.event.added) open_folder(folder.uri);
        });
    lsp::handle_notification<lsp::DidChangeConfigurationParams>(
        connection_, "workspace/didChangeConfiguration",
        [this](const lsp::DidChangeConfigurationParams& params) {
            if (client_.configuration) return ask_for_settings();
            if (params.settings.is_object()) take_settings(params.settings.value("heddle", lsp::Json()));
        });
    lsp::handle_notification<lsp::DidChangeWatchedFilesParams>(
        connection_, "workspace/didChangeWatchedFiles", [this](const lsp::DidChangeWatchedFilesParams&) {
            for (auto& [root, workspace] : workspaces_) workspace->reread_files();
        });
    connection_.start();
}

Session::~Session() {
    *alive_ = false;
    --hub_.clients;
    for (auto& [root, workspace] : workspaces_) workspace->remove(*this);
}

lsp::InitializeResult Session::initialize(const lsp::InitializeParams& params) {
    client_ = params.capabilities;
    const lsp::PositionEncoding encoding = lsp::choose_encoding(client_.positionEncodings);
    texts_ = present::SourceTexts(encoding);
    progress_.client_can_create_tokens(client_.workDoneProgress);
    for (const lsp::WorkspaceFolder& folder : lsp::folders_of(params)) first_folders_.push_back(folder.uri);
    if (params.initializationOptions.is_object()) {
        editor_settings_ = params.initializationOptions.value("heddle", lsp::Json());
        wants_status_ = params.initializationOptions.value("status", lsp::Json()) == true;
    }
    const std::string name = params.clientInfo ? params.clientInfo->name : "a client";
    hub_.say(lsp::LogLevel::info, fmt::format("{} joined, {}", name, connection_.peer_name()));
    return {.capabilities = capabilities(encoding, client_, pulls()),
            .serverInfo = {"heddle", HEDDLE_VERSION}};
}

void Session::initialized() {
    for (const std::string& uri : std::exchange(first_folders_, {})) open_folder(uri);
    if (client_.registerConfiguration) {
        const lsp::RegistrationParams wanted{
            {{.id = "settings", .method = "workspace/didChangeConfiguration", .registerOptions = nullptr}}};
        connection_.request("client/registerCapability", wanted, [](const lsp::Outcome&) {});
    }
    if (client_.configuration) ask_for_settings();
    status_changed();
}

void Session::open_folder(const std::string& uri) {
    const auto root = lsp::path_of_uri(uri);
    if (!root)
        return hub_.say(lsp::LogLevel::info, fmt::format("{} is not watched: {}", uri, root.error().message));
    if (workspaces_.contains(*root)) return;
    auto workspace = hub_.workspace(*root);
    workspaces_[*root] = workspace;
    workspace->add(*this);
    if (!editor_settings_.is_null()) workspace->set_editor_settings(editor_settings_);
    const std::vector<std::string> files = workspace->bugs().files();
    bugs_changed({files.begin(), files.end()});
    activity_changed();
}

void Session::close_folder(const std::string& uri) {
    const auto root = lsp::path_of_uri(uri);
    const auto found = root ? workspaces_.find(*root) : workspaces_.end();
    if (found == workspaces_.end()) return;
    found->second->remove(*this);
    const std::vector<std::string> files = found->second->bugs().files();
    workspaces_.erase(found);
    bugs_changed({files.begin(), files.end()});
}

void Session::ask_for_settings() {
    const lsp::ConfigurationParams wanted{{{.scopeUri = std::nullopt, .section = "heddle"}}};
    connection_.request("workspace/configuration", wanted,
                        [this, alive = alive_](const lsp::Outcome& outcome) {
                            if (!*alive || !outcome || !outcome->is_array() || outcome->empty()) return;
                            take_settings(outcome->front());
                        });
}

void Session::take_settings(const lsp::Json& settings) {
    editor_settings_ = settings;
    for (auto& [root, workspace] : workspaces_) workspace->set_editor_settings(settings);
}

void Session::ended(const lsp::SessionEnd& end) {
    hub_.say(lsp::LogLevel::info, fmt::format("a client left: {}", end.reason));
    boost::asio::post(hub_.loop(), [done = options_.ended, end] { done(end); });
}

void Session::problem(const std::string& message) {
    show_to_client(lsp::MessageType::warning, message);
}

void Session::activity_changed() {
    status_changed();
    std::size_t waiting = 0;
    unsigned percent = 0;
    std::string name;
    for (const auto& [root, workspace] : workspaces_) {
        const TraceStore::Activity activity = workspace->traces().activity();
        if (activity.waiting == 0) continue;
        waiting += activity.waiting;
        percent = activity.percent;
        name = activity.name;
    }
    if (waiting == 0) {
        soon_busy_.cancel();
        analysis_cancelled_.reset();
        analysing_.reset();
        return;
    }
    if (analysing_) {
        return analysing_->report(percent,
                                  waiting == 1 ? name : fmt::format("{} and {} more", name, waiting - 1));
    }
    if (soon_busy_.expiry() > std::chrono::steady_clock::now()) return;
    soon_busy_.expires_after(kShortWork);
    soon_busy_.async_wait([this, alive = alive_](const boost::system::error_code& error) {
        if (error || !*alive) return;
        analysing_ = progress_.begin({.title = "Heddle: analysing",
                                      .cancellable = true,
                                      .client_token = {},
                                      .interval = std::chrono::milliseconds{100}});
        analysis_cancelled_.emplace(analysing_->stop_token(), [this, alive] {
            boost::asio::post(hub_.loop(), [this, alive] {
                if (!*alive) return;
                for (auto& [root, workspace] : workspaces_) workspace->traces().cancel();
            });
        });
        activity_changed();
    });
}

void Session::log_to_client(lsp::MessageType type, const std::string& message) {
    connection_.notify("window/logMessage", lsp::ShowMessageParams{type, message});
}

void Session::show_to_client(lsp::MessageType type, const std::string& message) {
    if (lifecycle_.state() != lsp::Lifecycle::State::initialized) return;
    connection_.notify("window/showMessage", lsp::ShowMessageParams{type, message});
}

} // namespace heddle::service
