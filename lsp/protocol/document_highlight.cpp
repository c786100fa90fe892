#include "lsp/protocol/document_highlight.h"

#include "lsp/protocol/members.h"

#include <tuple>

namespace heddle::lsp {

namespace {

constexpr auto kDocumentHighlightParams =
    std::tuple(member("textDocument", &DocumentHighlightParams::textDocument),
               member("position", &DocumentHighlightParams::position),
               member("workDoneToken", &DocumentHighlightParams::workDoneToken));
constexpr auto kDocumentHighlight =
    std::tuple(member("range", &DocumentHighlight::range), member("kind", &DocumentHighlight::kind));

} // namespace

void to_json(Json& json, const DocumentHighlightParams& value) {
    encode(json, value, kDocumentHighlightParams);
}

void decode(const Json& json, DocumentHighlightParams& value, Decoding& decoding) {
    decode_members(json, value, decoding, kDocumentHighlightParams);
}

void to_json(Json& json, const DocumentHighlight& value) {
    encode(json, value, kDocumentHighlight);
}

void decode(const Json& json, DocumentHighlight& value, Decoding& decoding) {
    decode_members(json, value, decoding, kDocumentHighlight);
}

void to_json(Json& json, const DocumentHighlightKind& value) {
    json = static_cast<int>(value);
}

void decode(const Json& json, DocumentHighlightKind& value, Decoding& decoding) {
    decode_enum(json, value, decoding, DocumentHighlightKind::text, DocumentHighlightKind::write);
}

} // namespace heddle::lsp
