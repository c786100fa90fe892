#include "daemon/symbols/debug_files.h"

#include <filesystem>

namespace heddle::symbols {

namespace {

namespace fs = std::filesystem;

std::optional<ElfImage> with_build_id(const fs::path& path, const std::string& build_id) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return std::nullopt;
    auto image = ElfImage::open(path.string());
    if (!image || image->build_id() != build_id) return std::nullopt;
    return std::move(*image);
}

} // namespace

std::optional<ElfImage> find_by_build_id(const std::string& build_id, const DebugFolders& folders) {
    constexpr std::size_t kShortest = 4;
    if (build_id.size() < kShortest || build_id.find_first_not_of("0123456789abcdef") != std::string::npos) {
        return std::nullopt;
    }
    for (const std::string& root : folders.roots) {
        const fs::path path =
            fs::path(root) / ".build-id" / build_id.substr(0, 2) / (build_id.substr(2) + ".debug");
        auto image = with_build_id(path, build_id);
        if (image && image->has_debug_info()) return image;
    }
    return std::nullopt;
}

std::optional<ElfImage> find_by_debug_link(const ElfImage& binary, const DebugFolders& folders) {
    if (!binary.debug_link()) return std::nullopt;
    const auto& [name, crc] = *binary.debug_link();
    std::error_code error;
    const fs::path folder = fs::absolute(binary.path(), error).parent_path();
    std::vector<fs::path> candidates = {folder / name, folder / ".debug" / name};
    for (const std::string& root : folders.roots) {
        candidates.push_back(fs::path(root) / folder.relative_path() / name);
        candidates.push_back(fs::path(root) / name);
    }
    for (const fs::path& path : candidates) {
        if (!fs::is_regular_file(path, error) || fs::equivalent(path, binary.path(), error)) continue;
        auto image = ElfImage::open(path.string());
        if (!image || !image->has_debug_info() || image->build_id() != binary.build_id()) continue;
        if (file_crc(path.string()) == crc) return std::move(*image);
    }
    return std::nullopt;
}

std::optional<ElfImage> find_moved(const std::string& path, const std::string& build_id,
                                   const DebugFolders& folders) {
    if (build_id.empty()) return std::nullopt;
    for (const std::string& root : folders.roots) {
        if (auto image = with_build_id(fs::path(root) / fs::path(path).filename(), build_id)) return image;
    }
    return std::nullopt;
}

} // namespace heddle::symbols
