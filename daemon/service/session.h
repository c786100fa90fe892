// One client: what it can do, which folders and documents it has open, and what it was told. Answers its
// requests from what the workspaces know; nothing here takes long.
//
// Lives on the loop. A client that misbehaves or dies takes nothing with it but this.
#pragma once

#include "daemon/present/diagnostics.h"
#include "daemon/present/source_texts.h"
#include "daemon/service/hub.h"
#include "daemon/service/test_recording.h"
#include "daemon/service/workspace.h"
#include "lsp/connection.h"
#include "lsp/handle.h"
#include "lsp/lifecycle.h"
#include "lsp/protocol/code_action.h"
#include "lsp/protocol/diagnostics.h"
#include "lsp/protocol/execute_command.h"
#include "lsp/protocol/hover.h"
#include "lsp/protocol/pull_diagnostics.h"
#include "lsp/protocol/window.h"
#include "lsp/work_progress.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/steady_timer.hpp>

namespace heddle::service {

class Session final : public WorkspaceListener {
  public:
    struct Options {
        lsp::LifecycleOptions lifecycle;
        /// From the loop, when the session is over and may be destroyed.
        std::function<void(const lsp::SessionEnd&)> ended;
    };

    Session(Hub& hub, std::unique_ptr<lsp::Transport> transport, Options options);
    ~Session() override;
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
    Session(Session&&) = delete;
    Session& operator=(Session&&) = delete;

    void bugs_changed(const std::set<std::string>& files) override;
    void activity_changed() override;
    void problem(const std::string& message) override;

    void close(std::string why) { connection_.close_when_written(std::move(why)); }

  private:
    // session.cpp: the client's life, folders and settings
    [[nodiscard]] lsp::InitializeResult initialize(const lsp::InitializeParams& params);
    void initialized();
    void open_folder(const std::string& uri);
    void close_folder(const std::string& uri);
    void ask_for_settings();
    void take_settings(const lsp::Json& settings);
    void ended(const lsp::SessionEnd& end);
    void log_to_client(lsp::MessageType type, const std::string& message);
    void show_to_client(lsp::MessageType type, const std::string& message);

    // session_documents.cpp: texts and their diagnostics
    void handle_documents();
    void publish_later();
    void publish();
    [[nodiscard]] std::vector<lsp::Diagnostic> diagnostics_of(const std::string& file);
    [[nodiscard]] std::vector<present::Mark> marks_of(const std::string& file);
    [[nodiscard]] std::string uri_of(const std::string& file) const;
    [[nodiscard]] lsp::DocumentDiagnosticReport pulled(const std::string& file,
                                                       const std::optional<std::string>& known);
    void pull_document(const lsp::DocumentDiagnosticParams& params, lsp::Reply reply);
    void pull_workspace(const lsp::WorkspaceDiagnosticParams& params, lsp::Reply reply);
    void answer_workspace_pull();
    [[nodiscard]] bool pulls() const { return client_.pullDiagnostics && client_.diagnosticRefresh; }

    // session_requests.cpp: hovers, actions, commands
    void handle_requests();
    void hover(const lsp::HoverParams& params, lsp::Reply reply);
    void code_actions(const lsp::CodeActionParams& params, lsp::Reply reply);
    void execute(const lsp::ExecuteCommandParams& params, lsp::Reply reply);
    void show_witness(const std::string& bug, lsp::Reply reply);
    void suppress(const std::string& bug, lsp::Reply reply);
    void record_tests(lsp::Reply reply);
    void run_tests(const std::shared_ptr<Workspace>& workspace, lsp::Reply reply);

    /// The workspace that knows the bug; none when it is gone.
    struct Known {
        Workspace* workspace = nullptr;
        const Bug* bug = nullptr;
    };
    [[nodiscard]] Known find(const std::string& bug) const;

    /// A handler of this session, with typed parameters.
    template<typename Params>
    void on_request(const char* method, void (Session::*handler)(const Params&, lsp::Reply)) {
        lsp::handle_request<Params>(connection_, method,
                                    [this, handler](const Params& params, lsp::Reply reply) {
                                        (this->*handler)(params, std::move(reply));
                                    });
    }

    using StopCallback = std::stop_callback<std::function<void()>>;

    Hub& hub_;
    Options options_;
    lsp::Connection connection_;
    lsp::Lifecycle lifecycle_;
    lsp::ProgressReporter progress_;
    lsp::ClientCapabilities client_;
    std::vector<std::string> first_folders_; ///< URIs, until the client is ready
    lsp::Json editor_settings_ = nullptr;
    std::map<std::string, std::shared_ptr<Workspace>> workspaces_; ///< by root
    present::SourceTexts texts_;
    std::map<std::string, std::string> open_uris_; ///< by path, as the client spells them
    std::set<std::string> changed_;                ///< files whose diagnostics are to be sent
    std::set<std::string> published_;              ///< files that have diagnostics at the client
    bool publishing_ = false;
    /// A client that asks for all diagnostics waits until there is something new.
    std::optional<std::pair<lsp::WorkspaceDiagnosticParams, lsp::Reply>> waiting_pull_;
    std::optional<StopCallback> pull_cancelled_;
    std::optional<lsp::WorkProgress> analysing_;
    std::optional<StopCallback> analysis_cancelled_;
    boost::asio::steady_timer soon_busy_;
    std::unique_ptr<TestRecording> recording_;
    /// What is posted or asked of the client finds out here that the session is gone.
    std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

} // namespace heddle::service
