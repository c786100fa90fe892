// What a client can do, as far as a server asks. LSP spreads it over a deep tree; here it is flat, each
// member beside the path it comes from. A member that is missing, or not of its type, is something the client
// cannot do.
#pragma once

#include "lsp/protocol/decode.h"

#include <string>
#include <vector>

namespace heddle::lsp {

struct ClientCapabilities {
    std::vector<std::string> positionEncodings; ///< general.positionEncodings

    // textDocument.publishDiagnostics.…
    bool relatedInformation = false;
    bool diagnosticTags = false;    ///< tagSupport
    bool codeDescription = false;   ///< codeDescriptionSupport
    bool diagnosticData = false;    ///< dataSupport
    bool diagnosticVersion = false; ///< versionSupport

    bool pullDiagnostics = false;               ///< textDocument.diagnostic
    bool relatedDocuments = false;              ///< textDocument.diagnostic.relatedDocumentSupport
    bool diagnosticRefresh = false;             ///< workspace.diagnostics.refreshSupport
    bool hoverMarkdown = false;                 ///< textDocument.hover.contentFormat holds markdown
    bool codeActionLiterals = false;            ///< textDocument.codeAction.codeActionLiteralSupport
    bool codeActionData = false;                ///< textDocument.codeAction.dataSupport
    bool codeActionPreferred = false;           ///< textDocument.codeAction.isPreferredSupport
    bool codeActionDisabled = false;            ///< textDocument.codeAction.disabledSupport
    std::vector<std::string> codeActionResolve; ///< textDocument.codeAction.resolveSupport.properties
    bool documentHighlight = false;             ///< textDocument.documentHighlight
    bool references = false;                    ///< textDocument.references
    bool codeLensRefresh = false;               ///< workspace.codeLens.refreshSupport
    bool inlayHint = false;                     ///< textDocument.inlayHint
    bool inlayHintRefresh = false;              ///< workspace.inlayHint.refreshSupport

    bool applyEdit = false;             ///< workspace.applyEdit
    bool documentChanges = false;       ///< workspace.workspaceEdit.documentChanges
    bool createFile = false;            ///< workspace.workspaceEdit.resourceOperations holds create
    bool workspaceFolders = false;      ///< workspace.workspaceFolders
    bool configuration = false;         ///< workspace.configuration
    bool registerConfiguration = false; ///< workspace.didChangeConfiguration.dynamicRegistration
    bool registerWatchedFiles = false;  ///< workspace.didChangeWatchedFiles.dynamicRegistration

    bool workDoneProgress = false; ///< window.workDoneProgress
    bool showDocument = false;     ///< window.showDocument.support
    bool messageActions = false;   ///< window.showMessage

    bool operator==(const ClientCapabilities&) const = default;
};

void decode(const Json& json, ClientCapabilities& value, Decoding& decoding);

} // namespace heddle::lsp
