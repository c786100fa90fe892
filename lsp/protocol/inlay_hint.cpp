#include "lsp/protocol/inlay_hint.h"

#include "lsp/protocol/members.h"

#include <tuple>

namespace heddle::lsp {

namespace {

constexpr auto kInlayHintParams = std::tuple(member("textDocument", &InlayHintParams::textDocument),
                                             member("range", &InlayHintParams::range),
                                             member("workDoneToken", &InlayHintParams::workDoneToken));
constexpr auto kInlayHint =
    std::tuple(member("position", &InlayHint::position), member("label", &InlayHint::label),
               member("tooltip", &InlayHint::tooltip), with_default("paddingLeft", &InlayHint::paddingLeft));

} // namespace

void to_json(Json& json, const InlayHintParams& value) {
    encode(json, value, kInlayHintParams);
}

void decode(const Json& json, InlayHintParams& value, Decoding& decoding) {
    decode_members(json, value, decoding, kInlayHintParams);
}

void to_json(Json& json, const InlayHint& value) {
    encode(json, value, kInlayHint);
}

void decode(const Json& json, InlayHint& value, Decoding& decoding) {
    decode_members(json, value, decoding, kInlayHint);
}

} // namespace heddle::lsp
