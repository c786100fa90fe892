#include "lsp/protocol/window.h"

#include "lsp/protocol/members.h"

#include <tuple>

namespace heddle::lsp {

namespace {

constexpr auto kShowMessageParams =
    std::tuple(member("type", &ShowMessageParams::type), member("message", &ShowMessageParams::message));
constexpr auto kMessageActionItem = std::tuple(member("title", &MessageActionItem::title));
constexpr auto kShowMessageRequestParams = std::tuple(
    member("type", &ShowMessageRequestParams::type), member("message", &ShowMessageRequestParams::message),
    with_default("actions", &ShowMessageRequestParams::actions));
constexpr auto kShowDocumentParams = std::tuple(
    member("uri", &ShowDocumentParams::uri), member("external", &ShowDocumentParams::external),
    member("takeFocus", &ShowDocumentParams::takeFocus), member("selection", &ShowDocumentParams::selection));
constexpr auto kShowDocumentResult = std::tuple(member("success", &ShowDocumentResult::success));

} // namespace

void to_json(Json& json, const ShowMessageParams& value) {
    encode(json, value, kShowMessageParams);
}

void decode(const Json& json, ShowMessageParams& value, Decoding& decoding) {
    decode_members(json, value, decoding, kShowMessageParams);
}

void to_json(Json& json, const MessageActionItem& value) {
    encode(json, value, kMessageActionItem);
}

void decode(const Json& json, MessageActionItem& value, Decoding& decoding) {
    decode_members(json, value, decoding, kMessageActionItem);
}

void to_json(Json& json, const ShowMessageRequestParams& value) {
    encode(json, value, kShowMessageRequestParams);
}

void decode(const Json& json, ShowMessageRequestParams& value, Decoding& decoding) {
    decode_members(json, value, decoding, kShowMessageRequestParams);
}

void to_json(Json& json, const ShowDocumentParams& value) {
    encode(json, value, kShowDocumentParams);
}

void decode(const Json& json, ShowDocumentParams& value, Decoding& decoding) {
    decode_members(json, value, decoding, kShowDocumentParams);
}

void to_json(Json& json, const ShowDocumentResult& value) {
    encode(json, value, kShowDocumentResult);
}

void decode(const Json& json, ShowDocumentResult& value, Decoding& decoding) {
    decode_members(json, value, decoding, kShowDocumentResult);
}

void decode(const Json& json, MessageType& value, Decoding& decoding) {
    decode_enum(json, value, decoding, MessageType::error, MessageType::log);
}

} // namespace heddle::lsp
