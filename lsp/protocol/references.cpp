#include "lsp/protocol/references.h"

#include "lsp/protocol/members.h"

#include <tuple>

namespace heddle::lsp {

namespace {

constexpr auto kReferenceContext =
    std::tuple(member("includeDeclaration", &ReferenceContext::includeDeclaration));
constexpr auto kReferenceParams = std::tuple(
    member("textDocument", &ReferenceParams::textDocument), member("position", &ReferenceParams::position),
    member("context", &ReferenceParams::context), member("workDoneToken", &ReferenceParams::workDoneToken));

} // namespace

void to_json(Json& json, const ReferenceContext& value) {
    encode(json, value, kReferenceContext);
}

void decode(const Json& json, ReferenceContext& value, Decoding& decoding) {
    decode_members(json, value, decoding, kReferenceContext);
}

void to_json(Json& json, const ReferenceParams& value) {
    encode(json, value, kReferenceParams);
}

void decode(const Json& json, ReferenceParams& value, Decoding& decoding) {
    decode_members(json, value, decoding, kReferenceParams);
}

} // namespace heddle::lsp
