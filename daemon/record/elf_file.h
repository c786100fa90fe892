// What a program file says about itself before it runs: its format, the shared libraries it asks for, and
// whether a runtime with ThreadSanitizer's interface is linked into it. Reads the file; runs nothing.
#pragma once

#include "traces/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::record {

enum class FileKind : std::uint8_t {
    elf,     ///< a program or library of this machine's kind
    foreign, ///< an ELF file for another machine
    script,  ///< begins with "#!"
    other,
};

struct ElfFile {
    FileKind kind = FileKind::other;
    bool dynamic = false;                  ///< the loader brings in its libraries
    std::vector<std::string> needed;       ///< the libraries, as they are asked for
    std::vector<std::string> search_paths; ///< where the file says to look for them, $ORIGIN replaced
    bool has_tsan = false;                 ///< defines __tsan_*: a runtime is linked into it
    bool has_recorder = false;             ///< that runtime is Heddle's
};

/// An error means that the file cannot be read, or is an ELF file that contradicts itself.
[[nodiscard]] Result<ElfFile> read_elf_file(const std::string& path);

} // namespace heddle::record
