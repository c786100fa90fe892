// An ELF file that is open for reading: what tells it from others, and the handle for libelf and libdw.
//
// The file is read as it is needed and never mapped: a mapped file that shrinks kills its reader.
#pragma once

#include "traces/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

struct Elf;

namespace heddle::symbols {

/// Addresses [begin, end).
struct AddressRange {
    std::uint64_t begin = 0;
    std::uint64_t end = ~std::uint64_t{0};

    [[nodiscard]] bool contains(std::uint64_t address) const { return begin <= address && address < end; }
};

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
    [[nodiscard]] bool has_symbols() const { return has_symbols_; } ///< .symtab
    /// When the file was last written, or put where it is; since 1970.
    [[nodiscard]] std::int64_t changed_ns() const { return changed_ns_; }
    /// The lowest address that it takes in memory, not counting where it is loaded.
    [[nodiscard]] std::uint64_t memory_begin() const { return memory_begin_; }
    /// Where its code is. What debug information says of other addresses is about code that the linker left
    /// out.
    [[nodiscard]] AddressRange code() const { return code_; }
    /// The bytes of a section, decompressed if libdw has opened the image; empty when there are none.
    [[nodiscard]] std::span<const std::uint8_t> section(std::string_view name) const;
    [[nodiscard]] Elf* elf() const { return elf_.get(); }

  private:
    ElfImage() = default;
    void read_segments();
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
    std::int64_t changed_ns_ = 0;
    std::uint64_t memory_begin_ = 0;
    AddressRange code_;
    File file_; ///< outlives elf_, which reads from it
    std::unique_ptr<Elf, EndElf> elf_;
};

/// The checksum that debug links carry (CRC-32) of a whole file; nothing when it cannot be read.
[[nodiscard]] std::optional<std::uint32_t> file_crc(const std::string& path);

} // namespace heddle::symbols
