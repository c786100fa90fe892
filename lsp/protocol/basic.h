// What the other files of the protocol are made of: positions, documents, edits.
#pragma once

#include "lsp/json.h"
#include "lsp/protocol/decode.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace heddle::lsp {

/// As the client spells it; lsp/uri.h makes a path of it.
using DocumentUri = std::string;

/// A diagnostic's code and a progress token may be either.
using IntegerOrString = std::variant<std::int64_t, std::string>;

struct Position {
    std::uint32_t line = 0;
    std::uint32_t character = 0; ///< in units of the negotiated encoding

    auto operator<=>(const Position&) const = default;
};

struct Range {
    Position start;
    Position end; ///< exclusive

    bool operator==(const Range&) const = default;
};

struct Location {
    DocumentUri uri;
    Range range;

    bool operator==(const Location&) const = default;
};

struct TextDocumentIdentifier {
    DocumentUri uri;

    bool operator==(const TextDocumentIdentifier&) const = default;
};

struct VersionedTextDocumentIdentifier {
    DocumentUri uri;
    std::int32_t version = 0;

    bool operator==(const VersionedTextDocumentIdentifier&) const = default;
};

struct TextDocumentPositionParams {
    TextDocumentIdentifier textDocument;
    Position position;

    bool operator==(const TextDocumentPositionParams&) const = default;
};

struct TextEdit {
    Range range;
    std::string newText;

    bool operator==(const TextEdit&) const = default;
};

enum class MarkupKind : std::uint8_t { plaintext, markdown };

struct MarkupContent {
    MarkupKind kind = MarkupKind::plaintext;
    std::string value;

    bool operator==(const MarkupContent&) const = default;
};

struct Command {
    std::string title;
    std::string command;
    std::vector<Json> arguments;

    bool operator==(const Command&) const = default;
};

void to_json(Json& json, const Position& value);
void to_json(Json& json, const Range& value);
void to_json(Json& json, const Location& value);
void to_json(Json& json, const TextDocumentIdentifier& value);
void to_json(Json& json, const VersionedTextDocumentIdentifier& value);
void to_json(Json& json, const TextDocumentPositionParams& value);
void to_json(Json& json, const TextEdit& value);
void to_json(Json& json, const MarkupKind& value);
void to_json(Json& json, const MarkupContent& value);
void to_json(Json& json, const Command& value);

void decode(const Json& json, Position& value, Decoding& decoding);
void decode(const Json& json, Range& value, Decoding& decoding);
void decode(const Json& json, Location& value, Decoding& decoding);
void decode(const Json& json, TextDocumentIdentifier& value, Decoding& decoding);
void decode(const Json& json, VersionedTextDocumentIdentifier& value, Decoding& decoding);
void decode(const Json& json, TextDocumentPositionParams& value, Decoding& decoding);
void decode(const Json& json, TextEdit& value, Decoding& decoding);
void decode(const Json& json, MarkupKind& value, Decoding& decoding);
void decode(const Json& json, MarkupContent& value, Decoding& decoding);
void decode(const Json& json, Command& value, Decoding& decoding);

} // namespace heddle::lsp
