#include "daemon/symbols/source_paths.h"

#include <filesystem>

namespace heddle::symbols {

namespace fs = std::filesystem;

SourcePaths::SourcePaths(std::string_view folder) : prefix_(fs::path(folder).lexically_normal().string()) {
    if (!prefix_.empty() && !prefix_.ends_with('/')) prefix_ += '/';
}

std::string SourcePaths::shown(std::string_view compile_folder, std::string_view name) const {
    if (name.empty()) return {};
    // An absolute name replaces the folder.
    std::string path = (fs::path(compile_folder) / fs::path(name)).lexically_normal().string();
    const bool below = !prefix_.empty() && path.size() > prefix_.size() && path.starts_with(prefix_);
    return below ? path.substr(prefix_.size()) : path;
}

} // namespace heddle::symbols
