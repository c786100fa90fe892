#include "lsp/protocol/code_action.h"

#include "lsp/protocol/members.h"

#include <algorithm>
#include <tuple>

namespace heddle::lsp {

namespace {

constexpr auto kCodeActionContext = std::tuple(member("diagnostics", &CodeActionContext::diagnostics),
                                               member("only", &CodeActionContext::only),
                                               member("triggerKind", &CodeActionContext::triggerKind));
constexpr auto kCodeActionParams = std::tuple(
    member("textDocument", &CodeActionParams::textDocument), member("range", &CodeActionParams::range),
    member("context", &CodeActionParams::context), member("workDoneToken", &CodeActionParams::workDoneToken));
constexpr auto kCodeActionDisabled = std::tuple(member("reason", &CodeActionDisabled::reason));
constexpr auto kCodeAction =
    std::tuple(member("title", &CodeAction::title), member("kind", &CodeAction::kind),
               with_default("diagnostics", &CodeAction::diagnostics),
               with_default("isPreferred", &CodeAction::isPreferred),
               member("disabled", &CodeAction::disabled), member("edit", &CodeAction::edit),
               member("command", &CodeAction::command), member("data", &CodeAction::data));

} // namespace

void to_json(Json& json, const CodeActionContext& value) {
    encode(json, value, kCodeActionContext);
}

void decode(const Json& json, CodeActionContext& value, Decoding& decoding) {
    decode_members(json, value, decoding, kCodeActionContext);
}

void to_json(Json& json, const CodeActionParams& value) {
    encode(json, value, kCodeActionParams);
}

void decode(const Json& json, CodeActionParams& value, Decoding& decoding) {
    decode_members(json, value, decoding, kCodeActionParams);
}

void to_json(Json& json, const CodeActionDisabled& value) {
    encode(json, value, kCodeActionDisabled);
}

void decode(const Json& json, CodeActionDisabled& value, Decoding& decoding) {
    decode_members(json, value, decoding, kCodeActionDisabled);
}

void to_json(Json& json, const CodeAction& value) {
    encode(json, value, kCodeAction);
}

void decode(const Json& json, CodeAction& value, Decoding& decoding) {
    decode_members(json, value, decoding, kCodeAction);
}

bool wants_kind(const CodeActionContext& context, std::string_view kind) {
    if (!context.only) return true;
    return std::ranges::any_of(*context.only, [kind](const std::string& asked) {
        return asked.empty() ||
               (kind.starts_with(asked) && (kind.size() == asked.size() || kind[asked.size()] == '.'));
    });
}

void decode(const Json& json, CodeActionTriggerKind& value, Decoding& decoding) {
    decode_enum(json, value, decoding, CodeActionTriggerKind::invoked, CodeActionTriggerKind::automatic);
}

} // namespace heddle::lsp
