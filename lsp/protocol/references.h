// textDocument/references. The result is an array of Location.
#pragma once

#include "lsp/protocol/basic.h"
#include "lsp/protocol/progress.h"

#include <optional>

namespace heddle::lsp {

struct ReferenceContext {
    bool includeDeclaration = false;

    bool operator==(const ReferenceContext&) const = default;
};

struct ReferenceParams {
    TextDocumentIdentifier textDocument;
    Position position;
    ReferenceContext context;
    std::optional<ProgressToken> workDoneToken;

    bool operator==(const ReferenceParams&) const = default;
};

void to_json(Json& json, const ReferenceContext& value);
void to_json(Json& json, const ReferenceParams& value);

void decode(const Json& json, ReferenceContext& value, Decoding& decoding);
void decode(const Json& json, ReferenceParams& value, Decoding& decoding);

} // namespace heddle::lsp
