#include "lsp/protocol/client_capabilities.h"

#include <algorithm>
#include <string_view>

#include <nlohmann/json.hpp>

namespace heddle::lsp {

namespace {

/// What is at a path of member names, "workspace.codeLens.refreshSupport"; null if there is nothing.
const Json* at(const Json& json, std::string_view path) {
    const Json* here = &json;
    while (!path.empty()) {
        const std::string_view name = path.substr(0, path.find('.'));
        path.remove_prefix(std::min(name.size() + 1, path.size()));
        if (!here->is_object()) return nullptr;
        const auto found = here->find(std::string(name));
        if (found == here->end()) return nullptr;
        here = &*found;
    }
    return here;
}

bool is_true(const Json& json, std::string_view path) {
    const Json* found = at(json, path);
    return found != nullptr && found->is_boolean() && found->get<bool>();
}

bool is_there(const Json& json, std::string_view path) {
    const Json* found = at(json, path);
    return found != nullptr && found->is_object();
}

std::vector<std::string> strings(const Json& json, std::string_view path) {
    std::vector<std::string> texts;
    const Json* found = at(json, path);
    if (found == nullptr || !found->is_array()) return texts;
    for (const Json& element : *found) {
        if (element.is_string()) texts.push_back(element.get<std::string>());
    }
    return texts;
}

bool holds(const Json& json, std::string_view path, std::string_view wanted) {
    const auto texts = strings(json, path);
    return std::ranges::find(texts, wanted) != texts.end();
}

void decode_documents(const Json& json, ClientCapabilities& value) {
    constexpr std::string_view kTags = "textDocument.publishDiagnostics.tagSupport";
    value.relatedInformation = is_true(json, "textDocument.publishDiagnostics.relatedInformation");
    value.diagnosticTags = is_true(json, kTags) || is_there(json, kTags);
    value.codeDescription = is_true(json, "textDocument.publishDiagnostics.codeDescriptionSupport");
    value.diagnosticData = is_true(json, "textDocument.publishDiagnostics.dataSupport");
    value.diagnosticVersion = is_true(json, "textDocument.publishDiagnostics.versionSupport");
    value.pullDiagnostics = is_there(json, "textDocument.diagnostic");
    value.relatedDocuments = is_true(json, "textDocument.diagnostic.relatedDocumentSupport");
    value.hoverMarkdown = holds(json, "textDocument.hover.contentFormat", "markdown");
    value.codeActionLiterals = is_there(json, "textDocument.codeAction.codeActionLiteralSupport");
    value.codeActionData = is_true(json, "textDocument.codeAction.dataSupport");
    value.codeActionPreferred = is_true(json, "textDocument.codeAction.isPreferredSupport");
    value.codeActionDisabled = is_true(json, "textDocument.codeAction.disabledSupport");
    value.codeActionResolve = strings(json, "textDocument.codeAction.resolveSupport.properties");
    value.documentHighlight = is_there(json, "textDocument.documentHighlight");
    value.references = is_there(json, "textDocument.references");
    value.inlayHint = is_there(json, "textDocument.inlayHint");
}

void decode_workspace(const Json& json, ClientCapabilities& value) {
    // The specification says `diagnostics`; clients that say `diagnostic` exist.
    value.diagnosticRefresh = is_true(json, "workspace.diagnostics.refreshSupport") ||
                              is_true(json, "workspace.diagnostic.refreshSupport");
    value.codeLensRefresh = is_true(json, "workspace.codeLens.refreshSupport");
    value.inlayHintRefresh = is_true(json, "workspace.inlayHint.refreshSupport");
    value.applyEdit = is_true(json, "workspace.applyEdit");
    value.documentChanges = is_true(json, "workspace.workspaceEdit.documentChanges");
    value.createFile = holds(json, "workspace.workspaceEdit.resourceOperations", "create");
    value.workspaceFolders = is_true(json, "workspace.workspaceFolders");
    value.configuration = is_true(json, "workspace.configuration");
    value.registerConfiguration = is_true(json, "workspace.didChangeConfiguration.dynamicRegistration");
    value.registerWatchedFiles = is_true(json, "workspace.didChangeWatchedFiles.dynamicRegistration");
}

} // namespace

void decode(const Json& json, ClientCapabilities& value, Decoding& decoding) {
    if (!json.is_object()) return decoding.fail("not an object");
    value.positionEncodings = strings(json, "general.positionEncodings");
    decode_documents(json, value);
    decode_workspace(json, value);
    value.workDoneProgress = is_true(json, "window.workDoneProgress");
    value.showDocument = is_true(json, "window.showDocument.support");
    value.messageActions = is_there(json, "window.showMessage");
}

} // namespace heddle::lsp
