#include "lsp/protocol/initialize.h"

#include "lsp/protocol/members.h"
#include "lsp/uri.h"

#include <filesystem>
#include <tuple>

namespace heddle::lsp {

namespace {

constexpr auto kClientInfo =
    std::tuple(member("name", &ClientInfo::name), member("version", &ClientInfo::version));

constexpr auto kInitializeParams = std::tuple(
    member("processId", &InitializeParams::processId), member("clientInfo", &InitializeParams::clientInfo),
    member("locale", &InitializeParams::locale), member("rootPath", &InitializeParams::rootPath),
    member("rootUri", &InitializeParams::rootUri),
    with_default("initializationOptions", &InitializeParams::initializationOptions),
    with_default("capabilities", &InitializeParams::capabilities),
    with_default("trace", &InitializeParams::trace),
    member("workspaceFolders", &InitializeParams::workspaceFolders));

/// A folder is named by its last part, as editors do.
WorkspaceFolder folder_named_by_path(DocumentUri uri) {
    const auto path = path_of_uri(uri);
    std::string name = path ? std::filesystem::path(*path).filename().string() : uri;
    return {.uri = std::move(uri), .name = std::move(name)};
}

} // namespace

void decode(const Json& json, ClientInfo& value, Decoding& decoding) {
    decode_members(json, value, decoding, kClientInfo);
}

/// A value of a later version of the protocol is no reason to refuse a client.
void decode(const Json& json, TraceValue& value, Decoding& /*decoding*/) {
    value = json.is_string() ? trace_value(json.get_ref<const std::string&>()).value_or(TraceValue::off)
                             : TraceValue::off;
}

void decode(const Json& json, InitializeParams& value, Decoding& decoding) {
    decode_members(json, value, decoding, kInitializeParams);
}

void to_json(Json& json, const ServerInfo& value) {
    json = {{"name", value.name}, {"version", value.version}};
}

void to_json(Json& json, const InitializeResult& value) {
    json = {{"capabilities", value.capabilities}, {"serverInfo", value.serverInfo}};
}

std::vector<WorkspaceFolder> folders_of(const InitializeParams& params) {
    if (params.workspaceFolders) return *params.workspaceFolders;
    if (params.rootUri) return {folder_named_by_path(*params.rootUri)};
    if (params.rootPath) return {folder_named_by_path(uri_of_path(*params.rootPath))};
    return {};
}

} // namespace heddle::lsp
