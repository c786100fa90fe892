// Finds the file that has the debug information of a binary: the binary itself, or one that was split off, by
// build-id or by debug link. A file is taken only if it is proven to belong to the binary: its build-id is
// the same, or its checksum is the one that the link tells.
#pragma once

#include "daemon/symbols/elf_image.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle::symbols {

/// Where separate debug files are looked for, besides the binary's own folder and ".debug" in it.
struct DebugFolders {
    std::vector<std::string> roots = {"/usr/lib/debug"}; ///< with ".build-id" or files in them
    /// Whether the lines of the system's libraries are wanted: to find them takes longer than all else in a
    /// small trace. Without, their functions are known.
    bool system_lines = false;
    std::vector<std::string> system = {"/lib/", "/lib64/", "/usr/lib/",
                                       "/usr/lib64/"}; ///< has those libraries
};

/// The debug file of a build, wherever its binary may be now.
[[nodiscard]] std::optional<ElfImage> find_by_build_id(const std::string& build_id,
                                                       const DebugFolders& folders);

/// The debug file that a binary links to.
[[nodiscard]] std::optional<ElfImage> find_by_debug_link(const ElfImage& binary, const DebugFolders& folders);

/// The binary itself, moved to one of the roots: a file of the same name and build-id.
[[nodiscard]] std::optional<ElfImage> find_moved(const std::string& path, const std::string& build_id,
                                                 const DebugFolders& folders);

} // namespace heddle::symbols
