#include "lsp/protocol/workspace.h"

#include "lsp/protocol/members.h"

#include <tuple>

namespace heddle::lsp {

namespace {

constexpr auto kConfigurationItem = std::tuple(member("scopeUri", &ConfigurationItem::scopeUri),
                                               member("section", &ConfigurationItem::section));
constexpr auto kConfigurationParams = std::tuple(member("items", &ConfigurationParams::items));
constexpr auto kDidChangeConfigurationParams =
    std::tuple(with_default("settings", &DidChangeConfigurationParams::settings));
constexpr auto kFileEvent = std::tuple(member("uri", &FileEvent::uri), member("type", &FileEvent::type));
constexpr auto kDidChangeWatchedFilesParams =
    std::tuple(member("changes", &DidChangeWatchedFilesParams::changes));
constexpr auto kFileSystemWatcher = std::tuple(member("globPattern", &FileSystemWatcher::globPattern));
constexpr auto kRegistration =
    std::tuple(member("id", &Registration::id), member("method", &Registration::method),
               with_default("registerOptions", &Registration::registerOptions));
constexpr auto kRegistrationParams = std::tuple(member("registrations", &RegistrationParams::registrations));

} // namespace

void to_json(Json& json, const ConfigurationItem& value) {
    encode(json, value, kConfigurationItem);
}

void decode(const Json& json, ConfigurationItem& value, Decoding& decoding) {
    decode_members(json, value, decoding, kConfigurationItem);
}

void to_json(Json& json, const ConfigurationParams& value) {
    encode(json, value, kConfigurationParams);
}

void decode(const Json& json, ConfigurationParams& value, Decoding& decoding) {
    decode_members(json, value, decoding, kConfigurationParams);
}

void to_json(Json& json, const DidChangeConfigurationParams& value) {
    encode(json, value, kDidChangeConfigurationParams);
}

void decode(const Json& json, DidChangeConfigurationParams& value, Decoding& decoding) {
    decode_members(json, value, decoding, kDidChangeConfigurationParams);
}

void to_json(Json& json, const FileEvent& value) {
    encode(json, value, kFileEvent);
}

void decode(const Json& json, FileEvent& value, Decoding& decoding) {
    decode_members(json, value, decoding, kFileEvent);
}

void to_json(Json& json, const DidChangeWatchedFilesParams& value) {
    encode(json, value, kDidChangeWatchedFilesParams);
}

void decode(const Json& json, DidChangeWatchedFilesParams& value, Decoding& decoding) {
    decode_members(json, value, decoding, kDidChangeWatchedFilesParams);
}

void to_json(Json& json, const FileSystemWatcher& value) {
    encode(json, value, kFileSystemWatcher);
}

void decode(const Json& json, FileSystemWatcher& value, Decoding& decoding) {
    decode_members(json, value, decoding, kFileSystemWatcher);
}

void to_json(Json& json, const Registration& value) {
    encode(json, value, kRegistration);
}

void decode(const Json& json, Registration& value, Decoding& decoding) {
    decode_members(json, value, decoding, kRegistration);
}

void to_json(Json& json, const RegistrationParams& value) {
    encode(json, value, kRegistrationParams);
}

void decode(const Json& json, RegistrationParams& value, Decoding& decoding) {
    decode_members(json, value, decoding, kRegistrationParams);
}

void decode(const Json& json, FileChangeType& value, Decoding& decoding) {
    decode_enum(json, value, decoding, FileChangeType::created, FileChangeType::deleted);
}

} // namespace heddle::lsp
