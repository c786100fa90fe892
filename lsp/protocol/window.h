// What the client shows to a person: window/showMessage, showMessageRequest, logMessage, showDocument.
#pragma once

#include "lsp/protocol/basic.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::lsp {

enum class MessageType : std::uint8_t { error = 1, warning = 2, info = 3, log = 4 };

/// Of window/showMessage and of window/logMessage.
struct ShowMessageParams {
    MessageType type = MessageType::info;
    std::string message;

    bool operator==(const ShowMessageParams&) const = default;
};

struct MessageActionItem {
    std::string title;

    bool operator==(const MessageActionItem&) const = default;
};

/// The result is the MessageActionItem that was chosen, or null.
struct ShowMessageRequestParams {
    MessageType type = MessageType::info;
    std::string message;
    std::vector<MessageActionItem> actions;

    bool operator==(const ShowMessageRequestParams&) const = default;
};

struct ShowDocumentParams {
    std::string uri;
    std::optional<bool> external; ///< in another program, say a browser
    std::optional<bool> takeFocus;
    std::optional<Range> selection;

    bool operator==(const ShowDocumentParams&) const = default;
};

struct ShowDocumentResult {
    bool success = false;

    bool operator==(const ShowDocumentResult&) const = default;
};

void to_json(Json& json, const ShowMessageParams& value);
void to_json(Json& json, const MessageActionItem& value);
void to_json(Json& json, const ShowMessageRequestParams& value);
void to_json(Json& json, const ShowDocumentParams& value);
void to_json(Json& json, const ShowDocumentResult& value);

void decode(const Json& json, MessageType& value, Decoding& decoding);
void decode(const Json& json, ShowMessageParams& value, Decoding& decoding);
void decode(const Json& json, MessageActionItem& value, Decoding& decoding);
void decode(const Json& json, ShowMessageRequestParams& value, Decoding& decoding);
void decode(const Json& json, ShowDocumentParams& value, Decoding& decoding);
void decode(const Json& json, ShowDocumentResult& value, Decoding& decoding);

} // namespace heddle::lsp
