// The folders a client works in, and how they change: workspace/didChangeWorkspaceFolders.
#pragma once

#include "lsp/protocol/basic.h"

#include <string>
#include <vector>

namespace heddle::lsp {

struct WorkspaceFolder {
    DocumentUri uri;
    std::string name;

    bool operator==(const WorkspaceFolder&) const = default;
};

struct WorkspaceFoldersChangeEvent {
    std::vector<WorkspaceFolder> added;
    std::vector<WorkspaceFolder> removed;

    bool operator==(const WorkspaceFoldersChangeEvent&) const = default;
};

struct DidChangeWorkspaceFoldersParams {
    WorkspaceFoldersChangeEvent event;

    bool operator==(const DidChangeWorkspaceFoldersParams&) const = default;
};

void to_json(Json& json, const WorkspaceFolder& value);
void to_json(Json& json, const WorkspaceFoldersChangeEvent& value);
void to_json(Json& json, const DidChangeWorkspaceFoldersParams& value);

void decode(const Json& json, WorkspaceFolder& value, Decoding& decoding);
void decode(const Json& json, WorkspaceFoldersChangeEvent& value, Decoding& decoding);
void decode(const Json& json, DidChangeWorkspaceFoldersParams& value, Decoding& decoding);

} // namespace heddle::lsp
