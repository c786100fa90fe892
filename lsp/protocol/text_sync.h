// textDocument/didOpen, didChange, didSave, didClose.
#pragma once

#include "lsp/protocol/basic.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::lsp {

struct TextDocumentItem {
    DocumentUri uri;
    std::string languageId;
    std::int32_t version = 0;
    std::string text;

    bool operator==(const TextDocumentItem&) const = default;
};

struct DidOpenTextDocumentParams {
    TextDocumentItem textDocument;

    bool operator==(const DidOpenTextDocumentParams&) const = default;
};

/// Without a range, the text is that of the whole document.
struct TextDocumentContentChangeEvent {
    std::optional<Range> range;
    std::string text;

    bool operator==(const TextDocumentContentChangeEvent&) const = default;
};

struct DidChangeTextDocumentParams {
    VersionedTextDocumentIdentifier textDocument;
    std::vector<TextDocumentContentChangeEvent> contentChanges; ///< each on the text that the one before left

    bool operator==(const DidChangeTextDocumentParams&) const = default;
};

struct DidSaveTextDocumentParams {
    TextDocumentIdentifier textDocument;
    std::optional<std::string> text;

    bool operator==(const DidSaveTextDocumentParams&) const = default;
};

struct DidCloseTextDocumentParams {
    TextDocumentIdentifier textDocument;

    bool operator==(const DidCloseTextDocumentParams&) const = default;
};

void to_json(Json& json, const TextDocumentItem& value);
void to_json(Json& json, const DidOpenTextDocumentParams& value);
void to_json(Json& json, const TextDocumentContentChangeEvent& value);
void to_json(Json& json, const DidChangeTextDocumentParams& value);
void to_json(Json& json, const DidSaveTextDocumentParams& value);
void to_json(Json& json, const DidCloseTextDocumentParams& value);

void decode(const Json& json, TextDocumentItem& value, Decoding& decoding);
void decode(const Json& json, DidOpenTextDocumentParams& value, Decoding& decoding);
void decode(const Json& json, TextDocumentContentChangeEvent& value, Decoding& decoding);
void decode(const Json& json, DidChangeTextDocumentParams& value, Decoding& decoding);
void decode(const Json& json, DidSaveTextDocumentParams& value, Decoding& decoding);
void decode(const Json& json, DidCloseTextDocumentParams& value, Decoding& decoding);

} // namespace heddle::lsp
