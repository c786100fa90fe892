// One client: what it can do, which folders and documents it has open, and what it was told. Answers its
// requests from what the workspaces know; nothing here takes long.
//
// Lives on the loop. A client that misbehaves or dies takes nothing with it but this.
#pragma once

#include "daemon/present/annotations.h"
#include "daemon/present/diagnostics.h"
#include "daemon/present/document_trees.h"
#include "daemon/present/source_texts.h"
#include "daemon/service/hub.h"
#include "daemon/service/tool_run.h"
#include "daemon/service/workspace.h"
#include "lsp/connection.h"
#include "lsp/handle.h"
#include "lsp/lifecycle.h"
#include "lsp/protocol/code_action.h"
#include "lsp/protocol/diagnostics.h"
#include "lsp/protocol/execute_command.h"
#include "lsp/protocol/hover.h"
#include "lsp/protocol/pull_diagnostics.h"
#include "lsp/protocol/references.h"
#include "lsp/protocol/text_sync.h"
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
    void runs_changed() override;
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
    void edited(const lsp::DidChangeTextDocumentParams& params);
    void publish();
    [[nodiscard]] std::vector<lsp::Diagnostic> diagnostics_of(const std::string& file);
    [[nodiscard]] std::set<std::string> with_other_places(const std::set<std::string>& files) const;
    [[nodiscard]] std::vector<const Bug*> shown_in(const Workspace& workspace, const present::View& view,
                                                   const std::string& file);
    [[nodiscard]] std::vector<present::Mark> marks_of(const std::string& file);
    [[nodiscard]] std::string uri_of(const std::string& file) const;
    [[nodiscard]] lsp::DocumentDiagnosticReport pulled(const std::string& file,
                                                       const std::optional<std::string>& known);
    void pull_document(const lsp::DocumentDiagnosticParams& params, lsp::Reply reply);
    void pull_workspace(const lsp::WorkspaceDiagnosticParams& params, lsp::Reply reply);
    void answer_workspace_pull();
    void refuse_waiting_pull(std::string why);
    [[nodiscard]] bool pulls() const { return client_.pullDiagnostics && client_.diagnosticRefresh; }

    // session_status.cpp: status lines and lists of findings
    void status_changed();
    void tell_status();
    [[nodiscard]] lsp::Json findings();

    // session_actions.cpp: code actions
    struct PendingActions;
    void code_actions(const lsp::CodeActionParams& params, lsp::Reply reply);
    void offer_fixes(const lsp::CodeActionParams& params, const std::string& file,
                     const std::vector<present::Mark>& marks, lsp::Json known, lsp::Reply reply);
    void add_fixes(const lsp::CodeActionParams& params, const std::string& file, const std::string& key,
                   std::size_t access, const std::vector<fix::Offer>& offers, PendingActions& pending);
    [[nodiscard]] std::optional<present::Mark> mark_of(const std::string& file, const std::string& key,
                                                       std::size_t access);
    void resolve_action(const lsp::CodeAction& action, lsp::Reply reply);
    [[nodiscard]] lsp::CodeAction action_for(const Bug& bug, std::string title,
                                             const lsp::CodeActionParams& params) const;
    [[nodiscard]] std::string root_of(const std::string& file) const;
    [[nodiscard]] bool may_edit(const present::Mark& mark, const std::string& file) const;
    [[nodiscard]] fix::Question question_for(const present::Mark& mark, const std::string& file) const;
    [[nodiscard]] std::optional<lsp::WorkspaceEdit>
    fix_edit(const present::Mark& mark, const std::string& file, const fix::Offer& offer);
    [[nodiscard]] std::optional<lsp::WorkspaceEdit> comment_edit(const present::Mark& mark,
                                                                 const std::string& file);
    /// By path.
    [[nodiscard]] lsp::WorkspaceEdit edit_of(std::map<std::string, std::vector<lsp::TextEdit>> edits) const;

    // session_requests.cpp: hovers, commands
    void handle_requests();
    void hover(const lsp::HoverParams& params, lsp::Reply reply);
    void execute(const lsp::ExecuteCommandParams& params, lsp::Reply reply);
    void show_witness(const lsp::ExecuteCommandParams& params, lsp::Reply reply);
    /// `text`: for clients that show none.
    void open_witness_page(const Bug& bug, const std::string& text, lsp::Json& result);
    void suppress(const std::string& bug, lsp::Reply reply);

    // session_programs.cpp: running the user's programs, when the user asks
    void record_tests(lsp::Reply reply);
    void run_tests(const std::shared_ptr<Workspace>& workspace, lsp::Reply reply);
    using Recorded = std::function<void(const heddle::Result<ToolRun::Result>&)>;
    void record(const std::shared_ptr<Workspace>& workspace, Recorded recorded);
    void saved(const std::string& file);
    void replay(const std::string& bug, lsp::Reply reply);
    void run_replay(const std::string& bug, lsp::Reply reply);
    void told_replay(const std::string& headline, const ToolRun::Result& result, lsp::Reply& reply);
    /// Asks the person whether to run it; `run` is called when they agree. Asked once for each command.
    void ask(const std::string& question, const std::string& command, lsp::Reply reply,
             std::function<void(lsp::Reply)> run);

    // session_annotations.cpp: what is shown beside the text
    void handle_annotations();
    void refresh_annotations();
    void highlight(const lsp::DocumentHighlightParams& params, lsp::Reply reply);
    void references(const lsp::ReferenceParams& params, lsp::Reply reply);
    void code_lenses(const lsp::CodeLensParams& params, lsp::Reply reply);
    void inlay_hints(const lsp::InlayHintParams& params, lsp::Reply reply);
    void accesses(const lsp::Json& argument, lsp::Reply reply);
    /// A document that is open and its syntax, either of which may be null.
    using WithTree = std::function<void(const lsp::TextDocument*, const source::SyntaxTree*, lsp::Reply&)>;
    void with_tree(const lsp::Result<std::string>& path, lsp::Reply reply, const WithTree& answer);

    /// A variable as a run used it.
    struct KnownVariable {
        Workspace* workspace = nullptr;
        SharedReport report;
        const report::ReportedVariable* variable = nullptr; ///< of the report
    };
    [[nodiscard]] std::vector<KnownVariable> variables() const;
    [[nodiscard]] lsp::Json accesses_json(const std::vector<KnownVariable>& wanted) const;
    /// `tree`: of the text that is open; null when there is none.
    [[nodiscard]] std::vector<KnownVariable>
    variables_at(const std::string& path, const lsp::Position& position, const source::SyntaxTree* tree);
    [[nodiscard]] lsp::Location location_of(const KnownVariable& known, const report::SourcePlace& place);
    [[nodiscard]] std::vector<present::TestRun> test_runs() const;

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
    present::Drift drift_;
    present::DocumentTrees trees_;
    std::map<std::string, std::string> open_uris_; ///< by path, as the client spells them
    std::set<std::string> edited_;                 ///< files, since the last pause
    std::set<std::string> changed_;                ///< files whose diagnostics are to be sent
    std::set<std::string> published_;              ///< files that have diagnostics at the client
    bool annotations_changed_ = false;             ///< the client is to be told
    bool publishing_ = false;
    bool wants_status_ = false;
    bool telling_status_ = false;
    lsp::Json told_status_ = nullptr;
    std::set<std::string> ignored_; ///< keys of bugs that a comment hides, as far as they were looked for
    /// A client that asks for all diagnostics waits until there is something new.
    std::optional<std::pair<lsp::WorkspaceDiagnosticParams, lsp::Reply>> waiting_pull_;
    std::optional<StopCallback> pull_cancelled_;
    std::optional<lsp::WorkProgress> analysing_;
    std::optional<StopCallback> analysis_cancelled_;
    boost::asio::steady_timer soon_busy_;
    std::unique_ptr<ToolRun> recording_;
    std::unique_ptr<ToolRun> replaying_;
    std::set<std::string> agreed_; ///< commands that the person let heddle run
    boost::asio::steady_timer pause_in_typing_;
    std::shared_ptr<Workspace> record_next_; ///< saved while tests were being recorded
    /// What is posted or asked of the client finds out here that the session is gone.
    std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

} // namespace heddle::service
