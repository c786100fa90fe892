#include "lsp/protocol/workspace_folders.h"

#include "lsp/protocol/members.h"

#include <tuple>

namespace heddle::lsp {

namespace {

constexpr auto kWorkspaceFolder =
    std::tuple(member("uri", &WorkspaceFolder::uri), member("name", &WorkspaceFolder::name));
constexpr auto kWorkspaceFoldersChangeEvent =
    std::tuple(with_default("added", &WorkspaceFoldersChangeEvent::added),
               with_default("removed", &WorkspaceFoldersChangeEvent::removed));
constexpr auto kDidChangeWorkspaceFoldersParams =
    std::tuple(member("event", &DidChangeWorkspaceFoldersParams::event));

} // namespace

void to_json(Json& json, const WorkspaceFolder& value) {
    encode(json, value, kWorkspaceFolder);
}

void decode(const Json& json, WorkspaceFolder& value, Decoding& decoding) {
    decode_members(json, value, decoding, kWorkspaceFolder);
}

void to_json(Json& json, const WorkspaceFoldersChangeEvent& value) {
    encode(json, value, kWorkspaceFoldersChangeEvent);
}

void decode(const Json& json, WorkspaceFoldersChangeEvent& value, Decoding& decoding) {
    decode_members(json, value, decoding, kWorkspaceFoldersChangeEvent);
}

void to_json(Json& json, const DidChangeWorkspaceFoldersParams& value) {
    encode(json, value, kDidChangeWorkspaceFoldersParams);
}

void decode(const Json& json, DidChangeWorkspaceFoldersParams& value, Decoding& decoding) {
    decode_members(json, value, decoding, kDidChangeWorkspaceFoldersParams);
}

} // namespace heddle::lsp
