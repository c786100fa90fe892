// textDocument/inlayHint. The result is an array of InlayHint.
#pragma once

#include "lsp/protocol/basic.h"
#include "lsp/protocol/progress.h"

#include <optional>
#include <string>

namespace heddle::lsp {

struct InlayHintParams {
    TextDocumentIdentifier textDocument;
    Range range;
    std::optional<ProgressToken> workDoneToken;

    bool operator==(const InlayHintParams&) const = default;
};

struct InlayHint {
    Position position;
    std::string label;
    std::optional<std::string> tooltip;
    bool paddingLeft = false; ///< left out when false

    bool operator==(const InlayHint&) const = default;
};

void to_json(Json& json, const InlayHintParams& value);
void to_json(Json& json, const InlayHint& value);

void decode(const Json& json, InlayHintParams& value, Decoding& decoding);
void decode(const Json& json, InlayHint& value, Decoding& decoding);

} // namespace heddle::lsp
