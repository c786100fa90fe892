#include "lsp/protocol/execute_command.h"

#include "lsp/protocol/members.h"

#include <tuple>

namespace heddle::lsp {

namespace {

constexpr auto kExecuteCommandParams =
    std::tuple(member("command", &ExecuteCommandParams::command),
               with_default("arguments", &ExecuteCommandParams::arguments),
               member("workDoneToken", &ExecuteCommandParams::workDoneToken));

} // namespace

void to_json(Json& json, const ExecuteCommandParams& value) {
    encode(json, value, kExecuteCommandParams);
}

void decode(const Json& json, ExecuteCommandParams& value, Decoding& decoding) {
    decode_members(json, value, decoding, kExecuteCommandParams);
}

} // namespace heddle::lsp
