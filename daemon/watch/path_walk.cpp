#include "daemon/watch/path_walk.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace heddle::watch {

namespace {

constexpr int kMaxLinks = 40;

/// The names of a path, the first one last.
void push_names(std::string_view path, std::vector<std::string>& names) {
    while (!path.empty()) {
        const std::size_t slash = path.rfind('/');
        const std::string_view last = slash == std::string_view::npos ? path : path.substr(slash + 1);
        if (!last.empty() && last != ".") names.emplace_back(last);
        path = slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
    }
}

std::optional<std::string> target_of(const std::string& link) {
    std::array<char, PATH_MAX> target{};
    const ssize_t length = ::readlink(link.c_str(), target.data(), target.size());
    if (length <= 0) return std::nullopt;
    return std::string(target.data(), static_cast<std::size_t>(length));
}

} // namespace

std::string joined(const std::string& folder, const std::string& name) {
    return folder == "/" ? folder + name : folder + "/" + name;
}

std::string parent_of(const std::string& folder) {
    const std::size_t slash = folder.rfind('/');
    return slash == 0 ? "/" : folder.substr(0, slash);
}

WalkEnd walk(const std::string& path, const std::function<void(const std::string& place)>& passing) {
    std::vector<std::string> ahead;
    push_names(path, ahead);
    std::string here = "/";
    passing(here);
    for (int links = 0; !ahead.empty();) {
        std::string name = std::move(ahead.back());
        ahead.pop_back();
        if (name == "..") {
            here = parent_of(here);
            continue;
        }
        const std::string there = joined(here, name);
        struct stat found {};
        if (::lstat(there.c_str(), &found) != 0) return {errno, here, name};
        if (S_ISLNK(found.st_mode)) {
            if (++links > kMaxLinks) return {ELOOP, here, name};
            passing(there);
            const std::optional<std::string> target = target_of(there);
            if (!target) return {errno, here, name};
            push_names(*target, ahead);
            if (target->starts_with('/')) here = "/";
        } else if (S_ISDIR(found.st_mode)) {
            here = there;
            passing(here);
        } else {
            return {ENOTDIR, here, name};
        }
    }
    return {0, here, {}};
}

bool is_network_file_system(long magic) {
    // From linux/magic.h and the modules that are not in it.
    constexpr std::array<unsigned long, 13> kMagics = {
        0x6969,     // NFS
        0x517B,     // SMB
        0xFE534D42, // SMB 2
        0xFF534D42, // CIFS
        0x65735546, // FUSE: sshfs and the like
        0x01021997, // 9P
        0x5346414F, // AFS
        0x73757245, // Coda
        0x00C36400, // Ceph
        0x786F4256, // VirtualBox's shared folders
        0x7461636F, // OCFS2
        0x01161970, // GFS2
        0x0BD00BD0, // Lustre
    };
    // The type of the field is narrower on some machines.
    return std::ranges::find(kMagics, static_cast<unsigned long>(magic) & 0xFFFFFFFFUL) != kMagics.end();
}

bool on_network_file_system(const std::string& folder) {
    struct statfs about {};
    return ::statfs(folder.c_str(), &about) == 0 && is_network_file_system(about.f_type);
}

} // namespace heddle::watch
