// textDocument/codeAction and codeAction/resolve. The result is an array of CodeAction; a client without
// ClientCapabilities::codeActionLiterals takes an array of Command only.
#pragma once

#include "lsp/protocol/diagnostics.h"
#include "lsp/protocol/progress.h"
#include "lsp/protocol/workspace_edit.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::lsp {

enum class CodeActionTriggerKind : std::uint8_t { invoked = 1, automatic = 2 };

struct CodeActionContext {
    std::vector<Diagnostic> diagnostics;
    std::optional<std::vector<std::string>> only; ///< kinds; a kind stands for those below it ("quickfix.x")
    std::optional<CodeActionTriggerKind> triggerKind;

    bool operator==(const CodeActionContext&) const = default;
};

struct CodeActionParams {
    TextDocumentIdentifier textDocument;
    Range range;
    CodeActionContext context;
    std::optional<ProgressToken> workDoneToken;

    bool operator==(const CodeActionParams&) const = default;
};

struct CodeActionDisabled {
    std::string reason;

    bool operator==(const CodeActionDisabled&) const = default;
};

struct CodeAction {
    std::string title;
    std::optional<std::string> kind;
    std::vector<Diagnostic> diagnostics; ///< left out when empty
    bool isPreferred = false;            ///< left out when false
    std::optional<CodeActionDisabled> disabled;
    std::optional<WorkspaceEdit> edit;
    std::optional<Command> command;
    std::optional<Json> data; ///< comes back with codeAction/resolve

    bool operator==(const CodeAction&) const = default;
};

/// Whether the client asked for actions of this kind.
[[nodiscard]] bool wants_kind(const CodeActionContext& context, std::string_view kind);

void to_json(Json& json, const CodeActionContext& value);
void to_json(Json& json, const CodeActionParams& value);
void to_json(Json& json, const CodeActionDisabled& value);
void to_json(Json& json, const CodeAction& value);

void decode(const Json& json, CodeActionTriggerKind& value, Decoding& decoding);
void decode(const Json& json, CodeActionContext& value, Decoding& decoding);
void decode(const Json& json, CodeActionParams& value, Decoding& decoding);
void decode(const Json& json, CodeActionDisabled& value, Decoding& decoding);
void decode(const Json& json, CodeAction& value, Decoding& decoding);

} // namespace heddle::lsp
