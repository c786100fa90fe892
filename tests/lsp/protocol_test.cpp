#include "lsp/protocol/code_action.h"
#include "lsp/protocol/code_lens.h"
#include "lsp/protocol/document_highlight.h"
#include "lsp/protocol/execute_command.h"
#include "lsp/protocol/hover.h"
#include "lsp/protocol/initialize.h"
#include "lsp/protocol/inlay_hint.h"
#include "lsp/protocol/pull_diagnostics.h"
#include "lsp/protocol/references.h"
#include "lsp/protocol/text_sync.h"
#include "lsp/protocol/window.h"
#include "lsp/protocol/workspace.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace heddle::lsp {
namespace {

using testing::ElementsAre;

/// What decoding says is wrong; "fine" if nothing is.
template<typename T>
std::string problem(const Json& json) {
    const auto value = from_json<T>(json);
    return value ? "fine" : value.error().message;
}

template<typename T>
void expect_round_trip(const T& value) {
    const Json json = value;
    const auto again = from_json<T>(json);
    ASSERT_TRUE(again) << again.error().message << " in " << json;
    EXPECT_EQ(*again, value) << json;
}

const Range kRange{{1, 2}, {3, 4}};
const Json kRangeJson = {{"start", {{"line", 1}, {"character", 2}}},
                         {"end", {{"line", 3}, {"character", 4}}}};

Diagnostic full_diagnostic() {
    return {.range = kRange,
            .severity = DiagnosticSeverity::warning,
            .code = "race",
            .codeDescription = CodeDescription{"https://example.org"},
            .source = "heddle",
            .message = "data race on 'x'",
            .tags = {DiagnosticTag::unnecessary},
            .relatedInformation = {{.location = {.uri = "file:///b", .range = kRange}, .message = "1/2"}},
            .data = Json{{"id", 7}}};
}

TEST(Protocol, what_is_written_is_read_back) {
    expect_round_trip(full_diagnostic());
    expect_round_trip(Diagnostic{.range = kRange, .code = std::int64_t{4}, .message = "m"});
    expect_round_trip(
        PublishDiagnosticsParams{.uri = "file:///a", .version = 3, .diagnostics = {full_diagnostic()}});
    expect_round_trip(HoverParams{.textDocument = {"file:///a"}, .position = {1, 2}, .workDoneToken = "t"});
    expect_round_trip(Hover{.contents = {MarkupKind::markdown, "**x**"}, .range = kRange});
    expect_round_trip(DocumentHighlightParams{.textDocument = {"u"}, .position = {1, 2}});
    expect_round_trip(DocumentHighlight{.range = kRange, .kind = DocumentHighlightKind::write});
    expect_round_trip(
        ReferenceParams{.textDocument = {"u"}, .position = {1, 2}, .context = {.includeDeclaration = true}});
    expect_round_trip(CodeLensParams{.textDocument = {"u"}, .workDoneToken = "t"});
    expect_round_trip(CodeLens{.range = kRange, .command = Command{"title", "name", {}}});
    expect_round_trip(InlayHintParams{.textDocument = {"u"}, .range = kRange});
    expect_round_trip(InlayHint{.position = {1, 2}, .label = "l", .tooltip = "t", .paddingLeft = true});
    expect_round_trip(CodeActionParams{.textDocument = {"u"},
                                       .range = kRange,
                                       .context = {.diagnostics = {full_diagnostic()},
                                                   .only = std::vector<std::string>{"quickfix"},
                                                   .triggerKind = CodeActionTriggerKind::automatic}});
    const WorkspaceEdit versioned{
        .documentChanges = {CreateFile{"file:///s"},
                            TextDocumentEdit{.textDocument = {.uri = "file:///a", .version = 4},
                                             .edits = {{.range = kRange, .newText = "n"}}}}};
    expect_round_trip(
        CodeAction{.title = "Hold 'mu' here",
                   .kind = "quickfix",
                   .diagnostics = {full_diagnostic()},
                   .isPreferred = true,
                   .disabled = CodeActionDisabled{"no"},
                   .edit = versioned,
                   .command = Command{.title = "t", .command = "c", .arguments = {1, "x", nullptr}},
                   .data = 7});
    expect_round_trip(WorkspaceEdit{.changes = {{"file:///a", {{.range = kRange, .newText = ""}}}}});
    expect_round_trip(ApplyWorkspaceEditParams{.label = "l", .edit = versioned});
    expect_round_trip(ApplyWorkspaceEditResult{.applied = false, .failureReason = "why"});
    expect_round_trip(ExecuteCommandParams{.command = "c", .arguments = {Json::object()}});
    expect_round_trip(
        DidOpenTextDocumentParams{{.uri = "u", .languageId = "cpp", .version = -1, .text = "é"}});
    expect_round_trip(
        DidChangeTextDocumentParams{.textDocument = {.uri = "u", .version = 2},
                                    .contentChanges = {{.range = kRange, .text = "a"}, {.text = "all"}}});
    expect_round_trip(DidSaveTextDocumentParams{.textDocument = {"u"}, .text = "t"});
    expect_round_trip(DidCloseTextDocumentParams{.textDocument = {"u"}});
    expect_round_trip(
        ShowMessageRequestParams{.type = MessageType::error, .message = "m", .actions = {{"OK"}}});
    expect_round_trip(
        ShowDocumentParams{.uri = "u", .external = false, .takeFocus = true, .selection = kRange});
    expect_round_trip(ConfigurationParams{{{.scopeUri = "u", .section = "heddle"}, {}}});
    expect_round_trip(DidChangeConfigurationParams{.settings = {{"a", 1}}});
    expect_round_trip(DidChangeWatchedFilesParams{{{.uri = "u", .type = FileChangeType::deleted}}});
    expect_round_trip(RegistrationParams{{{.id = "1", .method = "m", .registerOptions = {{"x", 1}}}}});
    expect_round_trip(DidChangeWorkspaceFoldersParams{{.added = {{"u", "n"}}, .removed = {{"v", "m"}}}});
    expect_round_trip(ProgressParams{.token = std::int64_t{5}, .value = {{"kind", "end"}}});
}

TEST(Protocol, is_spelled_as_the_specification_does) {
    EXPECT_EQ(Json(full_diagnostic()),
              (Json{{"range", kRangeJson},
                    {"severity", 2},
                    {"code", "race"},
                    {"codeDescription", {{"href", "https://example.org"}}},
                    {"source", "heddle"},
                    {"message", "data race on 'x'"},
                    {"tags", {1}},
                    {"relatedInformation",
                     {{{"location", {{"uri", "file:///b"}, {"range", kRangeJson}}}, {"message", "1/2"}}}},
                    {"data", {{"id", 7}}}}));
    EXPECT_EQ(Json(Diagnostic{.range = kRange, .message = "m"}),
              (Json{{"range", kRangeJson}, {"message", "m"}}));
    EXPECT_EQ(Json(OptionalVersionedTextDocumentIdentifier{.uri = "u", .version = std::nullopt}),
              (Json{{"uri", "u"}, {"version", nullptr}}));
    EXPECT_EQ(
        Json(WorkspaceDiagnosticReport{
            {{.uri = "u", .version = std::nullopt, .report = {.resultId = "1", .items = std::nullopt}},
             {.uri = "v", .version = 2, .report = {.resultId = "2", .items = std::vector<Diagnostic>{}}}}}),
        Json::parse(R"({"items":[
                  {"kind":"unchanged","resultId":"1","uri":"u","version":null},
                  {"kind":"full","resultId":"2","items":[],"uri":"v","version":2}]})"));
    EXPECT_EQ(
        Json(DocumentDiagnosticReport{.items = std::vector<Diagnostic>{},
                                      .relatedDocuments = {{"u", {.resultId = "9", .items = std::nullopt}}}}),
        Json::parse(
            R"({"kind":"full","items":[],"relatedDocuments":{"u":{"kind":"unchanged","resultId":"9"}}})"));
}

TEST(Protocol, server_capabilities_hold_what_is_offered_and_nothing_else) {
    EXPECT_EQ(Json(ServerCapabilities{}),
              Json::parse(R"({"textDocumentSync":{"openClose":true,"change":2}})"));
    const ServerCapabilities all{
        .positionEncoding = "utf-8",
        .textDocumentSync = {.save = true},
        .hoverProvider = true,
        .codeActionProvider = CodeActionOptions{.codeActionKinds = {"quickfix"}, .resolveProvider = true},
        .diagnosticProvider = DiagnosticOptions{.identifier = "heddle",
                                                .interFileDependencies = true,
                                                .workspaceDiagnostics = true},
        .codeLensProvider = true,
        .inlayHintProvider = true,
        .executeCommands = {"heddle.replay"},
        .workspaceFolders = true};
    EXPECT_EQ(Json(InitializeResult{.capabilities = all, .serverInfo = {"Heddle", "1"}}), Json::parse(R"({
        "capabilities": {
            "positionEncoding": "utf-8",
            "textDocumentSync": {"openClose": true, "change": 2, "save": {"includeText": false}},
            "hoverProvider": true,
            "codeActionProvider": {"codeActionKinds": ["quickfix"], "resolveProvider": true},
            "diagnosticProvider": {"identifier": "heddle", "interFileDependencies": true, "workspaceDiagnostics": true},
            "codeLensProvider": {},
            "inlayHintProvider": true,
            "executeCommandProvider": {"commands": ["heddle.replay"]},
            "workspace": {"workspaceFolders": {"supported": true, "changeNotifications": true}}},
        "serverInfo": {"name": "Heddle", "version": "1"}})"));
}

TEST(Protocol, says_where_parameters_are_wrong) {
    Json params = {{"textDocument", {{"uri", "u"}}}, {"position", {{"line", 1}, {"character", 2}}}};
    EXPECT_EQ(problem<HoverParams>(params), "fine");
    params["position"]["line"] = 3.0;
    EXPECT_EQ(problem<HoverParams>(params), "fine");
    for (const Json& line : {Json(-1), Json(2147483648), Json(UINT64_MAX), Json(1e300), Json(-1e300),
                             Json(1.5), Json("1"), Json(true), Json::array(), Json::object()}) {
        params["position"]["line"] = line;
        EXPECT_EQ(problem<HoverParams>(params), "position.line: not a whole number from 0 to 2147483647")
            << line;
    }
    params["position"].erase("line");
    EXPECT_EQ(problem<HoverParams>(params), "position.line: missing");
    params["position"]["line"] = nullptr;
    EXPECT_EQ(problem<HoverParams>(params), "position.line: missing");
    params["position"] = 7;
    EXPECT_EQ(problem<HoverParams>(params), "position: not an object");
    params["textDocument"]["uri"] = 7;
    EXPECT_EQ(problem<HoverParams>(params), "textDocument.uri: not a string");
    EXPECT_EQ(problem<HoverParams>(nullptr), "not an object");
    EXPECT_EQ(problem<HoverParams>(Json::array()), "not an object");

    Json change =
        DidChangeTextDocumentParams{.textDocument = {.uri = "u", .version = 1}, .contentChanges = {{}, {}}};
    change["contentChanges"][1]["range"] = kRangeJson;
    change["contentChanges"][1]["range"]["end"]["character"] = -7;
    EXPECT_EQ(problem<DidChangeTextDocumentParams>(change),
              "contentChanges[1].range.end.character: not a whole number from 0 to 2147483647");
    change["contentChanges"] = Json::object();
    EXPECT_EQ(problem<DidChangeTextDocumentParams>(change), "contentChanges: not an array");
    change["textDocument"]["version"] = 2147483648;
    EXPECT_EQ(problem<DidChangeTextDocumentParams>(change),
              "textDocument.version: not a whole number from -2147483648 to 2147483647");
    EXPECT_EQ(problem<ShowMessageParams>({{"type", 9}, {"message", ""}}),
              "type: not a value of its enumeration");
    EXPECT_EQ(problem<WorkDoneProgressParams>({{"token", 1.5}}), "token: not a string or a whole number");
    EXPECT_EQ(problem<WorkspaceEdit>({{"documentChanges", {{{"kind", "delete"}, {"uri", "u"}}}}}),
              "documentChanges[0]: an operation that is not supported");
    EXPECT_EQ(problem<WorkspaceEdit>({{"changes", {{"u", {7}}}}}), "changes.u[0]: not an object");
}

TEST(Protocol, capabilities_of_a_client_that_can_much) {
    const auto params = from_json<InitializeParams>(Json::parse(R"({
        "processId": 42, "clientInfo": {"name": "Code", "version": "1"}, "rootUri": "file:///w", "trace": "verbose",
        "initializationOptions": {"token": "t"},
        "workspaceFolders": [{"uri": "file:///w", "name": "w"}],
        "capabilities": {
            "general": {"positionEncodings": ["utf-16", "utf-8"]},
            "window": {"workDoneProgress": true, "showDocument": {"support": true}, "showMessage": {}},
            "workspace": {"applyEdit": true, "configuration": true, "workspaceFolders": true,
                          "workspaceEdit": {"documentChanges": true, "resourceOperations": ["rename", "create"]},
                          "diagnostics": {"refreshSupport": true}, "codeLens": {"refreshSupport": true}},
            "textDocument": {
                "publishDiagnostics": {"relatedInformation": true, "tagSupport": {"valueSet": [1, 2]}, "dataSupport": true},
                "diagnostic": {"relatedDocumentSupport": false},
                "hover": {"contentFormat": ["markdown", "plaintext"]},
                "codeAction": {"codeActionLiteralSupport": {}, "resolveSupport": {"properties": ["edit"]}}}}})"));
    ASSERT_TRUE(params) << params.error().message;
    const ClientCapabilities& can = params->capabilities;
    EXPECT_THAT(can.positionEncodings, ElementsAre("utf-16", "utf-8"));
    EXPECT_TRUE(can.workDoneProgress && can.showDocument && can.messageActions && can.applyEdit &&
                can.configuration);
    EXPECT_TRUE(can.workspaceFolders && can.documentChanges && can.createFile && can.diagnosticRefresh);
    EXPECT_TRUE(can.codeLensRefresh && can.relatedInformation && can.diagnosticTags && can.diagnosticData);
    EXPECT_TRUE(can.pullDiagnostics && can.hoverMarkdown && can.codeActionLiterals);
    EXPECT_FALSE(can.relatedDocuments || can.inlayHintRefresh || can.codeActionDisabled ||
                 can.diagnosticVersion);
    EXPECT_THAT(can.codeActionResolve, ElementsAre("edit"));
    EXPECT_EQ(params->trace, TraceValue::verbose);
    EXPECT_EQ(params->processId, 42);
    EXPECT_EQ(params->clientInfo, (ClientInfo{"Code", "1"}));
}

TEST(Protocol, capabilities_that_make_no_sense_are_not_there) {
    const auto params = from_json<InitializeParams>(Json::parse(R"({"capabilities": {
        "general": 3, "window": [], "workspace": {"applyEdit": "yes", "workspaceEdit": null, "codeLens": true},
        "textDocument": {"hover": {"contentFormat": "markdown"}, "codeAction": {"resolveSupport": {"properties": [1]}}}}})"));
    ASSERT_TRUE(params) << params.error().message;
    EXPECT_EQ(params->capabilities, ClientCapabilities{});
    EXPECT_EQ(problem<InitializeParams>({{"capabilities", 1}}), "capabilities: not an object");
    EXPECT_EQ(problem<InitializeParams>(Json::object()), "fine");
}

TEST(Protocol, folders_come_from_wherever_the_client_names_them) {
    const auto folders = [](const Json& json) {
        return folders_of(from_json<InitializeParams>(json).value());
    };
    EXPECT_THAT(folders({{"rootPath", "/a/b c"}}), ElementsAre(WorkspaceFolder{"file:///a/b%20c", "b c"}));
    EXPECT_THAT(folders({{"rootPath", "/x"}, {"rootUri", "file:///a/b"}}),
                ElementsAre(WorkspaceFolder{"file:///a/b", "b"}));
    EXPECT_THAT(
        folders({{"rootUri", "file:///x"}, {"workspaceFolders", {{{"uri", "file:///y"}, {"name", "why"}}}}}),
        ElementsAre(WorkspaceFolder{"file:///y", "why"}));
    EXPECT_THAT(folders({{"rootUri", nullptr}, {"workspaceFolders", nullptr}}), testing::IsEmpty());
}

TEST(Protocol, kinds_of_actions_are_a_tree) {
    const CodeActionContext context{.only = std::vector<std::string>{"quickfix", "refactor.extract"}};
    EXPECT_TRUE(wants_kind(context, "quickfix"));
    EXPECT_TRUE(wants_kind(context, "quickfix.heddle"));
    EXPECT_FALSE(wants_kind(context, "quickfixes"));
    EXPECT_FALSE(wants_kind(context, "refactor"));
    EXPECT_TRUE(wants_kind({}, "anything"));
    EXPECT_FALSE(wants_kind({.only = std::vector<std::string>{}}, "anything"));
}

} // namespace
} // namespace heddle::lsp
