#include "lsp/protocol/hover.h"

#include "lsp/protocol/members.h"

#include <tuple>

namespace heddle::lsp {

namespace {

constexpr auto kHoverParams =
    std::tuple(member("textDocument", &HoverParams::textDocument), member("position", &HoverParams::position),
               member("workDoneToken", &HoverParams::workDoneToken));
constexpr auto kHover = std::tuple(member("contents", &Hover::contents), member("range", &Hover::range));

} // namespace

void to_json(Json& json, const HoverParams& value) {
    encode(json, value, kHoverParams);
}

void decode(const Json& json, HoverParams& value, Decoding& decoding) {
    decode_members(json, value, decoding, kHoverParams);
}

void to_json(Json& json, const Hover& value) {
    encode(json, value, kHover);
}

void decode(const Json& json, Hover& value, Decoding& decoding) {
    decode_members(json, value, decoding, kHover);
}

} // namespace heddle::lsp
