// textDocument/hover. The result is a Hover, or null.
#pragma once

#include "lsp/protocol/basic.h"
#include "lsp/protocol/progress.h"

#include <optional>

namespace heddle::lsp {

struct HoverParams {
    TextDocumentIdentifier textDocument;
    Position position;
    std::optional<ProgressToken> workDoneToken;

    bool operator==(const HoverParams&) const = default;
};

struct Hover {
    MarkupContent contents;
    std::optional<Range> range;

    bool operator==(const Hover&) const = default;
};

void to_json(Json& json, const HoverParams& value);
void to_json(Json& json, const Hover& value);
void decode(const Json& json, HoverParams& value, Decoding& decoding);
void decode(const Json& json, Hover& value, Decoding& decoding);

} // namespace heddle::lsp
