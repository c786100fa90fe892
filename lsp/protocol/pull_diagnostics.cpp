#include "lsp/protocol/pull_diagnostics.h"

#include "lsp/protocol/members.h"

#include <tuple>

namespace heddle::lsp {

namespace {

constexpr auto kDocumentDiagnosticParams =
    std::tuple(member("textDocument", &DocumentDiagnosticParams::textDocument),
               member("identifier", &DocumentDiagnosticParams::identifier),
               member("previousResultId", &DocumentDiagnosticParams::previousResultId),
               member("workDoneToken", &DocumentDiagnosticParams::workDoneToken),
               member("partialResultToken", &DocumentDiagnosticParams::partialResultToken));
constexpr auto kPreviousResultId =
    std::tuple(member("uri", &PreviousResultId::uri), member("value", &PreviousResultId::value));
constexpr auto kWorkspaceDiagnosticParams =
    std::tuple(member("identifier", &WorkspaceDiagnosticParams::identifier),
               with_default("previousResultIds", &WorkspaceDiagnosticParams::previousResultIds),
               member("workDoneToken", &WorkspaceDiagnosticParams::workDoneToken),
               member("partialResultToken", &WorkspaceDiagnosticParams::partialResultToken));

} // namespace

void decode(const Json& json, DocumentDiagnosticParams& value, Decoding& decoding) {
    decode_members(json, value, decoding, kDocumentDiagnosticParams);
}

void decode(const Json& json, PreviousResultId& value, Decoding& decoding) {
    decode_members(json, value, decoding, kPreviousResultId);
}

void decode(const Json& json, WorkspaceDiagnosticParams& value, Decoding& decoding) {
    decode_members(json, value, decoding, kWorkspaceDiagnosticParams);
}

void to_json(Json& json, const DocumentDiagnosticReport& value) {
    json = {{"kind", value.items ? "full" : "unchanged"}};
    if (value.resultId) json["resultId"] = *value.resultId;
    if (value.items) json["items"] = *value.items;
    for (const auto& [uri, report] : value.relatedDocuments) json["relatedDocuments"][uri] = report;
}

void to_json(Json& json, const WorkspaceDocumentDiagnosticReport& value) {
    json = value.report;
    json["uri"] = value.uri;
    json["version"] = nullptr;
    if (value.version) json["version"] = *value.version;
}

void to_json(Json& json, const WorkspaceDiagnosticReport& value) {
    json = {{"items", value.items}};
}

void to_json(Json& json, const DiagnosticServerCancellationData& value) {
    json = {{"retriggerRequest", value.retriggerRequest}};
}

} // namespace heddle::lsp
