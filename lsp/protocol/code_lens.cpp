#include "lsp/protocol/code_lens.h"

#include "lsp/protocol/members.h"

#include <tuple>

namespace heddle::lsp {

namespace {

constexpr auto kCodeLensParams = std::tuple(member("textDocument", &CodeLensParams::textDocument),
                                            member("workDoneToken", &CodeLensParams::workDoneToken));
constexpr auto kCodeLens =
    std::tuple(member("range", &CodeLens::range), member("command", &CodeLens::command));

} // namespace

void to_json(Json& json, const CodeLensParams& value) {
    encode(json, value, kCodeLensParams);
}

void decode(const Json& json, CodeLensParams& value, Decoding& decoding) {
    decode_members(json, value, decoding, kCodeLensParams);
}

void to_json(Json& json, const CodeLens& value) {
    encode(json, value, kCodeLens);
}

void decode(const Json& json, CodeLens& value, Decoding& decoding) {
    decode_members(json, value, decoding, kCodeLens);
}

} // namespace heddle::lsp
