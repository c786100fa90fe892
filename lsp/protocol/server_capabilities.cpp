#include "lsp/protocol/server_capabilities.h"

#include <nlohmann/json.hpp>

namespace heddle::lsp {

void to_json(Json& json, const TextDocumentSyncOptions& value) {
    json = {{"openClose", value.openClose}, {"change", value.change}};
    if (value.save) json["save"] = {{"includeText", value.saveIncludesText}};
}

void to_json(Json& json, const CodeActionOptions& value) {
    // Options are for clients that take CodeAction literals; the others are told that there are actions.
    if (value.codeActionKinds.empty() && !value.resolveProvider) {
        json = true;
        return;
    }
    json = {{"codeActionKinds", value.codeActionKinds}, {"resolveProvider", value.resolveProvider}};
}

void to_json(Json& json, const DiagnosticOptions& value) {
    json = {{"interFileDependencies", value.interFileDependencies},
            {"workspaceDiagnostics", value.workspaceDiagnostics}};
    if (!value.identifier.empty()) json["identifier"] = value.identifier;
}

void to_json(Json& json, const ServerCapabilities& value) {
    json = {{"textDocumentSync", value.textDocumentSync}};
    if (!value.positionEncoding.empty()) json["positionEncoding"] = value.positionEncoding;
    if (value.hoverProvider) json["hoverProvider"] = true;
    if (value.codeActionProvider) json["codeActionProvider"] = *value.codeActionProvider;
    if (value.diagnosticProvider) json["diagnosticProvider"] = *value.diagnosticProvider;
    if (value.documentHighlightProvider) json["documentHighlightProvider"] = true;
    if (value.referencesProvider) json["referencesProvider"] = true;
    if (value.codeLensProvider) json["codeLensProvider"] = Json::object();
    if (value.inlayHintProvider) json["inlayHintProvider"] = true;
    if (!value.executeCommands.empty())
        json["executeCommandProvider"] = {{"commands", value.executeCommands}};
    if (value.workspaceFolders)
        json["workspace"]["workspaceFolders"] = {{"supported", true}, {"changeNotifications", true}};
}

} // namespace heddle::lsp
