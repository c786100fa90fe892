// What is told of a trace file on disk: that it came, grew, or went.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heddle::watch {

/// What tells one state of a file from another without opening it.
struct FileStamp {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t size = 0;
    std::int64_t mtime_ns = 0;
    std::int64_t birth_ns =
        0;                  ///< tells files apart that had the same inode one after the other; 0: not known
    std::uint32_t mode = 0; ///< with the owner, who may read it
    std::uint32_t owner = 0;

    friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

enum class ChangeKind : std::uint8_t {
    appeared,
    grew,             ///< it was written to, and is not shorter than it was; or others may read it now
    closed_by_writer, ///< somebody who could write to it closed it; may come with growth. Not told when
                      ///< polling
    replaced,         ///< another file has its name
    shrank,
    deleted, ///< the stamp is the last that was told
};

[[nodiscard]] std::string_view name_of(ChangeKind kind);

struct FileChange {
    std::string path; ///< absolute; bytes as the file system has them, not always UTF-8
    ChangeKind kind = ChangeKind::appeared;
    FileStamp stamp;
};

struct KnownFile {
    std::string path;
    FileStamp stamp; ///< as last told
};

/// Whether a file of that name can be a trace: *.htr or *.std.
[[nodiscard]] bool is_trace_name(std::string_view name);

/// What a look at a name shows.
struct Glance {
    bool certain = true;            ///< false: it may not be looked at now
    std::optional<FileStamp> stamp; ///< if there is a regular file
};

/// Never opens anything; a link at the end of the path is not followed.
[[nodiscard]] Glance glance_at(const std::string& path);

/// How `now` differs from `before`; nothing when it does not.
[[nodiscard]] std::optional<ChangeKind> difference(const std::optional<FileStamp>& before,
                                                   const std::optional<FileStamp>& now);

} // namespace heddle::watch
