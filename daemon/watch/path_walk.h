// The way to a folder, step by step, so that each place where it could turn elsewhere can be watched.
#pragma once

#include <functional>
#include <string>

namespace heddle::watch {

/// Where a walk ended.
struct WalkEnd {
    int error =
        0; ///< 0: the folder is there. Or why `missing` could not be passed: ENOENT, ENOTDIR, ELOOP, …
    std::string folder;  ///< the last folder that was reached; no link is part of its path
    std::string missing; ///< the name in it that could not be passed

    friend bool operator==(const WalkEnd&, const WalkEnd&) = default;
};

/// Walks an absolute path as the system would, links and all. `passing` is called with every folder and every
/// link on the way, before anything behind it is looked at. As with the system, 40 links are too many.
[[nodiscard]] WalkEnd walk(const std::string& path,
                           const std::function<void(const std::string& place)>& passing);

/// "/a/b" of "/a" and "b".
[[nodiscard]] std::string joined(const std::string& folder, const std::string& name);
/// "/a" of "/a/b"; "/" of "/".
[[nodiscard]] std::string parent_of(const std::string& folder);

/// Whether others can change what is on this file system without inotify telling.
[[nodiscard]] bool is_network_file_system(long magic);
[[nodiscard]] bool on_network_file_system(const std::string& folder);

} // namespace heddle::watch
