// Settings and files of the workspace: workspace/configuration, didChangeConfiguration,
// didChangeWatchedFiles, and client/registerCapability, by which a server asks for them. (workspace_folders.h
// and workspace_edit.h have more.)
//
// Requests without parameters, by which a server asks a client to ask again:
// workspace/diagnostic/refresh, workspace/codeLens/refresh, workspace/inlayHint/refresh.
#pragma once

#include "lsp/protocol/basic.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::lsp {

inline constexpr const char* kDiagnosticRefresh = "workspace/diagnostic/refresh";
inline constexpr const char* kCodeLensRefresh = "workspace/codeLens/refresh";
inline constexpr const char* kInlayHintRefresh = "workspace/inlayHint/refresh";

struct ConfigurationItem {
    std::optional<DocumentUri> scopeUri;
    std::optional<std::string> section;

    bool operator==(const ConfigurationItem&) const = default;
};

/// The result is an array with one value for each item, null where there is none.
struct ConfigurationParams {
    std::vector<ConfigurationItem> items;

    bool operator==(const ConfigurationParams&) const = default;
};

struct DidChangeConfigurationParams {
    Json settings = nullptr; ///< null from clients that want to be asked by workspace/configuration

    bool operator==(const DidChangeConfigurationParams&) const = default;
};

enum class FileChangeType : std::uint8_t { created = 1, changed = 2, deleted = 3 };

struct FileEvent {
    DocumentUri uri;
    FileChangeType type = FileChangeType::changed;

    bool operator==(const FileEvent&) const = default;
};

struct DidChangeWatchedFilesParams {
    std::vector<FileEvent> changes;

    bool operator==(const DidChangeWatchedFilesParams&) const = default;
};

struct FileSystemWatcher {
    std::string globPattern;

    bool operator==(const FileSystemWatcher&) const = default;
};

struct Registration {
    std::string id;
    std::string method;
    Json registerOptions =
        nullptr; ///< left out when null; of didChangeWatchedFiles {"watchers": [FileSystemWatcher]}

    bool operator==(const Registration&) const = default;
};

struct RegistrationParams {
    std::vector<Registration> registrations;

    bool operator==(const RegistrationParams&) const = default;
};

void to_json(Json& json, const ConfigurationItem& value);
void to_json(Json& json, const ConfigurationParams& value);
void to_json(Json& json, const DidChangeConfigurationParams& value);
void to_json(Json& json, const FileEvent& value);
void to_json(Json& json, const DidChangeWatchedFilesParams& value);
void to_json(Json& json, const FileSystemWatcher& value);
void to_json(Json& json, const Registration& value);
void to_json(Json& json, const RegistrationParams& value);

void decode(const Json& json, ConfigurationItem& value, Decoding& decoding);
void decode(const Json& json, ConfigurationParams& value, Decoding& decoding);
void decode(const Json& json, DidChangeConfigurationParams& value, Decoding& decoding);
void decode(const Json& json, FileChangeType& value, Decoding& decoding);
void decode(const Json& json, FileEvent& value, Decoding& decoding);
void decode(const Json& json, DidChangeWatchedFilesParams& value, Decoding& decoding);
void decode(const Json& json, FileSystemWatcher& value, Decoding& decoding);
void decode(const Json& json, Registration& value, Decoding& decoding);
void decode(const Json& json, RegistrationParams& value, Decoding& decoding);

} // namespace heddle::lsp
