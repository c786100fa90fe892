// The handshake: initialize and its result.
#pragma once

#include "lsp/protocol/basic.h"
#include "lsp/protocol/client_capabilities.h"
#include "lsp/protocol/server_capabilities.h"
#include "lsp/protocol/workspace_folders.h"
#include "lsp/trace_value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::lsp {

struct ClientInfo {
    std::string name;
    std::optional<std::string> version;

    bool operator==(const ClientInfo&) const = default;
};

struct InitializeParams {
    std::optional<std::int32_t> processId; ///< of the process that started the server
    std::optional<ClientInfo> clientInfo;
    std::optional<std::string> locale;
    std::optional<std::string> rootPath; ///< deprecated; rootUri goes first
    std::optional<DocumentUri> rootUri;  ///< deprecated; workspaceFolders go first
    Json initializationOptions = nullptr;
    ClientCapabilities capabilities;
    TraceValue trace = TraceValue::off;
    std::optional<std::vector<WorkspaceFolder>> workspaceFolders;

    bool operator==(const InitializeParams&) const = default;
};

struct ServerInfo {
    std::string name;
    std::string version;
};

struct InitializeResult {
    ServerCapabilities capabilities;
    ServerInfo serverInfo;
};

void decode(const Json& json, ClientInfo& value, Decoding& decoding);
void decode(const Json& json, TraceValue& value, Decoding& decoding);
void decode(const Json& json, InitializeParams& value, Decoding& decoding);

void to_json(Json& json, const ServerInfo& value);
void to_json(Json& json, const InitializeResult& value);

/// The folders that the client works in, from whichever member it names them by.
[[nodiscard]] std::vector<WorkspaceFolder> folders_of(const InitializeParams& params);

} // namespace heddle::lsp
