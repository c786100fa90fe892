// Diagnostics that the client asks for: textDocument/diagnostic and workspace/diagnostic. A report either has
// the items or says that those of an earlier report, known by its result id, still hold.
#pragma once

#include "lsp/protocol/diagnostics.h"
#include "lsp/protocol/progress.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::lsp {

struct DocumentDiagnosticParams {
    TextDocumentIdentifier textDocument;
    std::optional<std::string> identifier;
    std::optional<std::string> previousResultId;
    std::optional<ProgressToken> workDoneToken;
    std::optional<ProgressToken> partialResultToken;

    bool operator==(const DocumentDiagnosticParams&) const = default;
};

struct PreviousResultId {
    DocumentUri uri;
    std::string value;

    bool operator==(const PreviousResultId&) const = default;
};

struct WorkspaceDiagnosticParams {
    std::optional<std::string> identifier;
    std::vector<PreviousResultId> previousResultIds;
    std::optional<ProgressToken> workDoneToken;
    std::optional<ProgressToken> partialResultToken;

    bool operator==(const WorkspaceDiagnosticParams&) const = default;
};

/// Without items: unchanged since resultId.
struct DocumentDiagnosticReport {
    std::optional<std::string> resultId; ///< there if there are no items
    std::optional<std::vector<Diagnostic>> items;
    std::map<DocumentUri, DocumentDiagnosticReport> relatedDocuments; ///< left out when empty
};

struct WorkspaceDocumentDiagnosticReport {
    DocumentUri uri;
    std::optional<std::int32_t> version; ///< sent as null if there is none
    DocumentDiagnosticReport report;
};

struct WorkspaceDiagnosticReport {
    std::vector<WorkspaceDocumentDiagnosticReport> items;
};

/// `data` of the error ServerCancelled, with which a server that is not ready answers a pull.
struct DiagnosticServerCancellationData {
    bool retriggerRequest = true;
};

void decode(const Json& json, DocumentDiagnosticParams& value, Decoding& decoding);
void decode(const Json& json, PreviousResultId& value, Decoding& decoding);
void decode(const Json& json, WorkspaceDiagnosticParams& value, Decoding& decoding);

void to_json(Json& json, const DocumentDiagnosticReport& value);
void to_json(Json& json, const WorkspaceDocumentDiagnosticReport& value);
void to_json(Json& json, const WorkspaceDiagnosticReport& value);
void to_json(Json& json, const DiagnosticServerCancellationData& value);

} // namespace heddle::lsp
