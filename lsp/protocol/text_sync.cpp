#include "lsp/protocol/text_sync.h"

#include "lsp/protocol/members.h"

#include <tuple>

namespace heddle::lsp {

namespace {

constexpr auto kTextDocumentItem =
    std::tuple(member("uri", &TextDocumentItem::uri), member("languageId", &TextDocumentItem::languageId),
               member("version", &TextDocumentItem::version), member("text", &TextDocumentItem::text));
constexpr auto kDidOpenTextDocumentParams =
    std::tuple(member("textDocument", &DidOpenTextDocumentParams::textDocument));
constexpr auto kTextDocumentContentChangeEvent =
    std::tuple(member("range", &TextDocumentContentChangeEvent::range),
               member("text", &TextDocumentContentChangeEvent::text));
constexpr auto kDidChangeTextDocumentParams =
    std::tuple(member("textDocument", &DidChangeTextDocumentParams::textDocument),
               member("contentChanges", &DidChangeTextDocumentParams::contentChanges));
constexpr auto kDidSaveTextDocumentParams =
    std::tuple(member("textDocument", &DidSaveTextDocumentParams::textDocument),
               member("text", &DidSaveTextDocumentParams::text));
constexpr auto kDidCloseTextDocumentParams =
    std::tuple(member("textDocument", &DidCloseTextDocumentParams::textDocument));

} // namespace

void to_json(Json& json, const TextDocumentItem& value) {
    encode(json, value, kTextDocumentItem);
}

void decode(const Json& json, TextDocumentItem& value, Decoding& decoding) {
    decode_members(json, value, decoding, kTextDocumentItem);
}

void to_json(Json& json, const DidOpenTextDocumentParams& value) {
    encode(json, value, kDidOpenTextDocumentParams);
}

void decode(const Json& json, DidOpenTextDocumentParams& value, Decoding& decoding) {
    decode_members(json, value, decoding, kDidOpenTextDocumentParams);
}

void to_json(Json& json, const TextDocumentContentChangeEvent& value) {
    encode(json, value, kTextDocumentContentChangeEvent);
}

void decode(const Json& json, TextDocumentContentChangeEvent& value, Decoding& decoding) {
    decode_members(json, value, decoding, kTextDocumentContentChangeEvent);
}

void to_json(Json& json, const DidChangeTextDocumentParams& value) {
    encode(json, value, kDidChangeTextDocumentParams);
}

void decode(const Json& json, DidChangeTextDocumentParams& value, Decoding& decoding) {
    decode_members(json, value, decoding, kDidChangeTextDocumentParams);
}

void to_json(Json& json, const DidSaveTextDocumentParams& value) {
    encode(json, value, kDidSaveTextDocumentParams);
}

void decode(const Json& json, DidSaveTextDocumentParams& value, Decoding& decoding) {
    decode_members(json, value, decoding, kDidSaveTextDocumentParams);
}

void to_json(Json& json, const DidCloseTextDocumentParams& value) {
    encode(json, value, kDidCloseTextDocumentParams);
}

void decode(const Json& json, DidCloseTextDocumentParams& value, Decoding& decoding) {
    decode_members(json, value, decoding, kDidCloseTextDocumentParams);
}

} // namespace heddle::lsp
