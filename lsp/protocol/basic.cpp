#include "lsp/protocol/basic.h"

#include "lsp/protocol/members.h"

#include <tuple>

namespace heddle::lsp {

namespace {

constexpr auto kPosition =
    std::tuple(member("line", &Position::line), member("character", &Position::character));
constexpr auto kRange = std::tuple(member("start", &Range::start), member("end", &Range::end));
constexpr auto kLocation = std::tuple(member("uri", &Location::uri), member("range", &Location::range));
constexpr auto kTextDocumentIdentifier = std::tuple(member("uri", &TextDocumentIdentifier::uri));
constexpr auto kVersionedTextDocumentIdentifier =
    std::tuple(member("uri", &VersionedTextDocumentIdentifier::uri),
               member("version", &VersionedTextDocumentIdentifier::version));
constexpr auto kTextDocumentPositionParams =
    std::tuple(member("textDocument", &TextDocumentPositionParams::textDocument),
               member("position", &TextDocumentPositionParams::position));
constexpr auto kTextEdit =
    std::tuple(member("range", &TextEdit::range), member("newText", &TextEdit::newText));
constexpr auto kMarkupContent =
    std::tuple(member("kind", &MarkupContent::kind), member("value", &MarkupContent::value));
constexpr auto kCommand = std::tuple(member("title", &Command::title), member("command", &Command::command),
                                     with_default("arguments", &Command::arguments));

} // namespace

void to_json(Json& json, const Position& value) {
    encode(json, value, kPosition);
}

void decode(const Json& json, Position& value, Decoding& decoding) {
    decode_members(json, value, decoding, kPosition);
}

void to_json(Json& json, const Range& value) {
    encode(json, value, kRange);
}

void decode(const Json& json, Range& value, Decoding& decoding) {
    decode_members(json, value, decoding, kRange);
}

void to_json(Json& json, const Location& value) {
    encode(json, value, kLocation);
}

void decode(const Json& json, Location& value, Decoding& decoding) {
    decode_members(json, value, decoding, kLocation);
}

void to_json(Json& json, const TextDocumentIdentifier& value) {
    encode(json, value, kTextDocumentIdentifier);
}

void decode(const Json& json, TextDocumentIdentifier& value, Decoding& decoding) {
    decode_members(json, value, decoding, kTextDocumentIdentifier);
}

void to_json(Json& json, const VersionedTextDocumentIdentifier& value) {
    encode(json, value, kVersionedTextDocumentIdentifier);
}

void decode(const Json& json, VersionedTextDocumentIdentifier& value, Decoding& decoding) {
    decode_members(json, value, decoding, kVersionedTextDocumentIdentifier);
}

void to_json(Json& json, const TextDocumentPositionParams& value) {
    encode(json, value, kTextDocumentPositionParams);
}

void decode(const Json& json, TextDocumentPositionParams& value, Decoding& decoding) {
    decode_members(json, value, decoding, kTextDocumentPositionParams);
}

void to_json(Json& json, const TextEdit& value) {
    encode(json, value, kTextEdit);
}

void decode(const Json& json, TextEdit& value, Decoding& decoding) {
    decode_members(json, value, decoding, kTextEdit);
}

void to_json(Json& json, const MarkupContent& value) {
    encode(json, value, kMarkupContent);
}

void decode(const Json& json, MarkupContent& value, Decoding& decoding) {
    decode_members(json, value, decoding, kMarkupContent);
}

void to_json(Json& json, const Command& value) {
    encode(json, value, kCommand);
}

void decode(const Json& json, Command& value, Decoding& decoding) {
    decode_members(json, value, decoding, kCommand);
}

void to_json(Json& json, const MarkupKind& value) {
    json = value == MarkupKind::markdown ? "markdown" : "plaintext";
}

void decode(const Json& json, MarkupKind& value, Decoding& decoding) {
    if (json == "markdown") {
        value = MarkupKind::markdown;
    } else if (json == "plaintext") {
        value = MarkupKind::plaintext;
    } else {
        decoding.fail("neither \"plaintext\" nor \"markdown\"");
    }
}

} // namespace heddle::lsp
