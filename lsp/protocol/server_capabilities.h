// What a server tells that it can do. What is left out here is not sent, and a client then does not ask for
// it.
#pragma once

#include "lsp/json.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::lsp {

enum class TextDocumentSyncKind : std::uint8_t { none = 0, full = 1, incremental = 2 };

struct TextDocumentSyncOptions {
    bool openClose = true;
    TextDocumentSyncKind change = TextDocumentSyncKind::incremental;
    bool save = false; ///< tell the server when a document was saved
    bool saveIncludesText = false;
};

struct CodeActionOptions {
    std::vector<std::string> codeActionKinds;
    bool resolveProvider = false;
};

struct DiagnosticOptions {
    std::string identifier;
    bool interFileDependencies = false;
    bool workspaceDiagnostics = false;
};

struct ServerCapabilities {
    std::string positionEncoding; ///< empty: not sent, which means utf-16
    TextDocumentSyncOptions textDocumentSync;
    bool hoverProvider = false;
    std::optional<CodeActionOptions> codeActionProvider;
    std::optional<DiagnosticOptions> diagnosticProvider;
    bool documentHighlightProvider = false;
    bool referencesProvider = false;
    bool codeLensProvider = false;
    bool inlayHintProvider = false;
    std::vector<std::string> executeCommands; ///< executeCommandProvider.commands
    bool workspaceFolders = false;            ///< workspace.workspaceFolders: supported, with changes
};

void to_json(Json& json, const TextDocumentSyncOptions& value);
void to_json(Json& json, const CodeActionOptions& value);
void to_json(Json& json, const DiagnosticOptions& value);
void to_json(Json& json, const ServerCapabilities& value);

} // namespace heddle::lsp
