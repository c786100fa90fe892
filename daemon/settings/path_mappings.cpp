#include "daemon/settings/path_mappings.h"

namespace heddle::settings {

namespace {

std::string_view without_slash(std::string_view folder) {
    while (folder.size() > 1 && folder.ends_with('/')) folder.remove_suffix(1);
    return folder;
}

/// What comes after the folder, with its slash; nothing when the path is not below it.
bool below(std::string_view path, std::string_view folder, std::string_view& rest) {
    if (!path.starts_with(folder)) return false;
    rest = path.substr(folder == "/" ? 0 : folder.size());
    return rest.empty() || rest.front() == '/';
}

} // namespace

std::string mapped_path(std::string_view path, const std::vector<PathMapping>& mappings) {
    std::string_view best_from;
    std::string result(path);
    for (const PathMapping& mapping : mappings) {
        const std::string_view from = without_slash(mapping.from);
        std::string_view rest;
        if (from.empty() || from.size() < best_from.size() || !below(path, from, rest)) continue;
        best_from = from;
        result = std::string(without_slash(mapping.to)) + std::string(rest);
    }
    return result;
}

} // namespace heddle::settings
