// Edits of several documents, which the client makes: as part of a code action, or by workspace/applyEdit.
#pragma once

#include "lsp/protocol/basic.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace heddle::lsp {

struct OptionalVersionedTextDocumentIdentifier {
    DocumentUri uri;
    std::optional<std::int32_t> version; ///< null: of the file on disk, whatever it is by then

    bool operator==(const OptionalVersionedTextDocumentIdentifier&) const = default;
};

struct TextDocumentEdit {
    OptionalVersionedTextDocumentIdentifier textDocument;
    std::vector<TextEdit> edits;

    bool operator==(const TextDocumentEdit&) const = default;
};

/// A file to be made; one that is there stays as it is.
struct CreateFile {
    DocumentUri uri;

    bool operator==(const CreateFile&) const = default;
};

using DocumentChange = std::variant<TextDocumentEdit, CreateFile>;

/// One of the two: documentChanges if the client can (ClientCapabilities::documentChanges), else changes.
struct WorkspaceEdit {
    std::map<DocumentUri, std::vector<TextEdit>> changes;
    std::vector<DocumentChange> documentChanges;

    bool operator==(const WorkspaceEdit&) const = default;
};

struct ApplyWorkspaceEditParams {
    std::optional<std::string> label;
    WorkspaceEdit edit;

    bool operator==(const ApplyWorkspaceEditParams&) const = default;
};

struct ApplyWorkspaceEditResult {
    bool applied = false;
    std::optional<std::string> failureReason;

    bool operator==(const ApplyWorkspaceEditResult&) const = default;
};

void to_json(Json& json, const OptionalVersionedTextDocumentIdentifier& value);
void to_json(Json& json, const TextDocumentEdit& value);
void to_json(Json& json, const CreateFile& value);
void to_json(Json& json, const WorkspaceEdit& value);
void to_json(Json& json, const ApplyWorkspaceEditParams& value);
void to_json(Json& json, const ApplyWorkspaceEditResult& value);

void decode(const Json& json, OptionalVersionedTextDocumentIdentifier& value, Decoding& decoding);
void decode(const Json& json, TextDocumentEdit& value, Decoding& decoding);
void decode(const Json& json, CreateFile& value, Decoding& decoding);
void decode(const Json& json, DocumentChange& value, Decoding& decoding);
void decode(const Json& json, WorkspaceEdit& value, Decoding& decoding);
void decode(const Json& json, ApplyWorkspaceEditParams& value, Decoding& decoding);
void decode(const Json& json, ApplyWorkspaceEditResult& value, Decoding& decoding);

} // namespace heddle::lsp
