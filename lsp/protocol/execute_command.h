// workspace/executeCommand. The result is what the command makes of it.
#pragma once

#include "lsp/protocol/basic.h"
#include "lsp/protocol/progress.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle::lsp {

struct ExecuteCommandParams {
    std::string command;
    std::vector<Json> arguments;
    std::optional<ProgressToken> workDoneToken;

    bool operator==(const ExecuteCommandParams&) const = default;
};

void to_json(Json& json, const ExecuteCommandParams& value);
void decode(const Json& json, ExecuteCommandParams& value, Decoding& decoding);

} // namespace heddle::lsp
