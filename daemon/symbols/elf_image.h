// An ELF file that is open for reading: what tells it from others, and the handle for libelf and libdw.
//
// The file is read as it is needed and never mapped: a mapped file that shrinks kills its reader.
#pragma once

#include "traces/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

struct Elf;

namespace heddle::symbols {

class ElfImage {
  public:
    /// An error means that there is no such file, that it is no ELF file of this machine's kind, or that it
    /// contradicts itself.
    [[nodiscard]] static Result<ElfImage> open(const std::string& path);

    /// Where another file has the debug information: its name, and the checksum of its content.
    struct DebugLink {
        std::string name;
        std::uint32_t crc = 0;
    };

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] const std::string& build_id() const { return build_id_; } ///< lower-case hex, or empty
    [[nodiscard]] const std::optional<DebugLink>& debug_link() const { return debug_link_; }
    [[nodiscard]] bool has_debug_info() const { return has_debug_info_; }
    [[nodiscard]] bool has_symbols() const { return has_symbols_; }         ///< .symtab
    [[nodiscard]] std::int64_t modified_ns() const { return modified_ns_; } ///< since 1970
    /// The lowest address of code. What debug information says of lower ones is about code that the linker
    /// left out.
    [[nodiscard]] std::uint64_t code_begin() const { return code_begin_; }
    [[nodiscard]] Elf* elf() const { return elf_.get(); }

  private:
    ElfImage() = default;
    void read_notes();
    void read_sections();

    struct EndElf {
        void operator()(Elf* elf) const;
    };
    /// A descriptor, with -1 in place of nothing.
    class File {
      public:
        explicit File(int number = -1) : number_(number) {}
        ~File();
        File(File&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
        File& operator=(File&& other) noexcept {
            std::swap(number_, other.number_);
            return *this;
        }
        File(const File&) = delete;
        File& operator=(const File&) = delete;
        [[nodiscard]] int number() const { return number_; }

      private:
        int number_;
    };

    std::string path_;
    std::string build_id_;
    std::optional<DebugLink> debug_link_;
    bool has_debug_info_ = false;
    bool has_symbols_ = false;
    std::int64_t modified_ns_ = 0;
    std::uint64_t code_begin_ = 0;
    File file_; ///< outlives elf_, which reads from it
    std::unique_ptr<Elf, EndElf> elf_;
};

/// The checksum that debug links carry (CRC-32) of a whole file; nothing when it cannot be read.
[[nodiscard]] std::optional<std::uint32_t> file_crc(const std::string& path);

} // namespace heddle::symbols
