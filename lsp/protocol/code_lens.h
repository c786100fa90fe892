// textDocument/codeLens. The result is an array of CodeLens.
#pragma once

#include "lsp/protocol/basic.h"
#include "lsp/protocol/progress.h"

#include <optional>

namespace heddle::lsp {

struct CodeLensParams {
    TextDocumentIdentifier textDocument;
    std::optional<ProgressToken> workDoneToken;

    bool operator==(const CodeLensParams&) const = default;
};

struct CodeLens {
    Range range;
    std::optional<Command> command; ///< a command without a name is a text

    bool operator==(const CodeLens&) const = default;
};

void to_json(Json& json, const CodeLensParams& value);
void to_json(Json& json, const CodeLens& value);

void decode(const Json& json, CodeLensParams& value, Decoding& decoding);
void decode(const Json& json, CodeLens& value, Decoding& decoding);

} // namespace heddle::lsp
