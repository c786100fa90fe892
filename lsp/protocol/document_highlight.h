// textDocument/documentHighlight. The result is an array of DocumentHighlight.
#pragma once

#include "lsp/protocol/basic.h"
#include "lsp/protocol/progress.h"

#include <cstdint>
#include <optional>

namespace heddle::lsp {

enum class DocumentHighlightKind : std::uint8_t { text = 1, read = 2, write = 3 };

void to_json(Json& json, const DocumentHighlightKind& value);
void decode(const Json& json, DocumentHighlightKind& value, Decoding& decoding);

struct DocumentHighlightParams {
    TextDocumentIdentifier textDocument;
    Position position;
    std::optional<ProgressToken> workDoneToken;

    bool operator==(const DocumentHighlightParams&) const = default;
};

struct DocumentHighlight {
    Range range;
    DocumentHighlightKind kind = DocumentHighlightKind::text;

    bool operator==(const DocumentHighlight&) const = default;
};

void to_json(Json& json, const DocumentHighlightParams& value);
void to_json(Json& json, const DocumentHighlight& value);

void decode(const Json& json, DocumentHighlightParams& value, Decoding& decoding);
void decode(const Json& json, DocumentHighlight& value, Decoding& decoding);

} // namespace heddle::lsp
