#include "daemon/watch/file_change.h"

#include <array>
#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

namespace heddle::watch {

namespace {

std::int64_t nanoseconds(const struct statx_timestamp& time) {
    return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

} // namespace

std::string_view name_of(ChangeKind kind) {
    constexpr std::array<std::string_view, 6> kNames = {"appeared", "grew",   "closed by writer",
                                                        "replaced", "shrank", "deleted"};
    return kNames[static_cast<std::size_t>(kind)];
}

bool is_trace_name(std::string_view name) {
    return name.ends_with(".htr") || name.ends_with(".std");
}

Glance glance_at(const std::string& path) {
    struct statx found {};
    if (::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT,
                STATX_BASIC_STATS | STATX_BTIME, &found) != 0) {
        const bool certain = errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG;
        return {.certain = certain, .stamp = std::nullopt};
    }
    if (!S_ISREG(found.stx_mode)) return {};
    return {.certain = true,
            .stamp = FileStamp{
                .device = makedev(found.stx_dev_major, found.stx_dev_minor),
                .inode = found.stx_ino,
                .size = found.stx_size,
                .mtime_ns = nanoseconds(found.stx_mtime),
                .birth_ns = (found.stx_mask & STATX_BTIME) != 0 ? nanoseconds(found.stx_btime) : 0,
                .mode = found.stx_mode,
                .owner = found.stx_uid,
            }};
}

std::optional<ChangeKind> difference(const std::optional<FileStamp>& before,
                                     const std::optional<FileStamp>& now) {
    if (before == now) return std::nullopt;
    if (!before) return ChangeKind::appeared;
    if (!now) return ChangeKind::deleted;
    if (before->device != now->device || before->inode != now->inode || before->birth_ns != now->birth_ns)
        return ChangeKind::replaced;
    return now->size < before->size ? ChangeKind::shrank : ChangeKind::grew;
}

} // namespace heddle::watch
