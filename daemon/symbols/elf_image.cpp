#include "daemon/symbols/elf_image.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

namespace heddle::symbols {

namespace {

std::string hex(const unsigned char* bytes, std::size_t size) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i) text += fmt::format("{:02x}", bytes[i]);
    return text;
}

std::string build_id_of(Elf_Data* notes) {
    constexpr std::size_t kLongest = 64;
    GElf_Nhdr note;
    std::size_t name = 0;
    std::size_t content = 0;
    for (std::size_t at = 0; (at = gelf_getnote(notes, at, &note, &name, &content)) > 0;) {
        const auto* bytes = static_cast<const unsigned char*>(notes->d_buf);
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof(ELF_NOTE_GNU) &&
            note.n_descsz <= kLongest && std::memcmp(bytes + name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) == 0) {
            return hex(bytes + content, note.n_descsz);
        }
    }
    return {};
}

std::int64_t nanoseconds(const timespec& time) {
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

/// A name, padding to four bytes, and the checksum.
std::optional<ElfImage::DebugLink> debug_link_of(const Elf_Data* data) {
    const auto* text = static_cast<const char*>(data->d_buf);
    const std::size_t length = strnlen(text, data->d_size);
    const std::size_t at = (length + 4) & ~std::size_t{3};
    if (length == 0 || at + 4 > data->d_size) return std::nullopt;
    ElfImage::DebugLink link{.name = std::string(text, length)};
    std::memcpy(&link.crc, text + at, sizeof(link.crc));
    // A name, not a path that leads elsewhere.
    if (link.name.find('/') != std::string::npos) return std::nullopt;
    return link;
}

} // namespace

ElfImage::File::~File() {
    if (number_ >= 0) ::close(number_);
}

void ElfImage::EndElf::operator()(Elf* elf) const {
    elf_end(elf);
}

Result<ElfImage> ElfImage::open(const std::string& path) {
    ElfImage image;
    image.path_ = path;
    // Not blocking: the path may be that of a pipe by now.
    image.file_ = File(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat about {};
    if (image.file_.number() < 0 || fstat(image.file_.number(), &about) != 0) {
        return fail(fmt::format("{}: {}", path, std::generic_category().message(errno)));
    }
    if (!S_ISREG(about.st_mode)) return fail(fmt::format("{}: not a file", path));
    image.changed_ns_ = std::max(nanoseconds(about.st_mtim), nanoseconds(about.st_ctim));
    elf_version(EV_CURRENT);
    image.elf_.reset(elf_begin(image.file_.number(), ELF_C_READ, nullptr));
    GElf_Ehdr header;
    if (image.elf_ == nullptr || elf_kind(image.elf()) != ELF_K_ELF ||
        gelf_getehdr(image.elf(), &header) == nullptr) {
        return fail(fmt::format("{}: not an ELF file", path));
    }
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB) {
        return fail(fmt::format("{}: made for another kind of machine", path));
    }
    if (header.e_shoff > static_cast<std::uint64_t>(about.st_size)) {
        return fail(fmt::format("{}: the file is cut off", path));
    }
    image.read_segments();
    image.read_sections();
    return image;
}

/// Notes are taken from here because sections can be stripped.
void ElfImage::read_segments() {
    std::size_t count = 0;
    if (elf_getphdrnum(elf(), &count) != 0) return;
    std::uint64_t lowest = ~std::uint64_t{0};
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Phdr segment;
        if (gelf_getphdr(elf(), static_cast<int>(i), &segment) == nullptr) break;
        if (segment.p_type == PT_LOAD) lowest = std::min(lowest, segment.p_vaddr);
        if (segment.p_type != PT_NOTE || segment.p_filesz == 0 || !build_id_.empty()) continue;
        Elf_Data* notes =
            elf_getdata_rawchunk(elf(), static_cast<std::int64_t>(segment.p_offset), segment.p_filesz,
                                 segment.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
        if (notes != nullptr && notes->d_buf != nullptr) build_id_ = build_id_of(notes);
    }
    if (lowest != ~std::uint64_t{0}) memory_begin_ = lowest;
}

void ElfImage::read_sections() {
    std::size_t names = 0;
    if (elf_getshdrstrndx(elf(), &names) != 0) return;
    AddressRange code{.begin = ~std::uint64_t{0}, .end = 0};
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf(), section)) != nullptr;) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == nullptr) continue;
        const char* text = elf_strptr(elf(), names, header.sh_name);
        const std::string_view name = text == nullptr ? "" : text;
        const bool has_content = header.sh_type != SHT_NOBITS && header.sh_size > 0;
        if ((header.sh_flags & SHF_EXECINSTR) != 0) {
            code.begin = std::min(code.begin, header.sh_addr);
            code.end = std::max(code.end, header.sh_addr + header.sh_size);
        }
        if (header.sh_type == SHT_SYMTAB) has_symbols_ = true;
        if ((name == ".debug_info" || name == ".zdebug_info") && has_content) has_debug_info_ = true;
        const bool is_note = header.sh_type == SHT_NOTE && build_id_.empty();
        const bool is_link = name == ".gnu_debuglink";
        if ((!is_note && !is_link) || !has_content) continue;
        Elf_Data* data = elf_getdata(section, nullptr);
        if (data == nullptr || data->d_buf == nullptr) continue;
        if (is_note) build_id_ = build_id_of(data);
        if (is_link) debug_link_ = debug_link_of(data);
    }
    if (code.begin < code.end) code_ = code;
}

std::span<const std::uint8_t> ElfImage::section(std::string_view name) const {
    std::size_t names = 0;
    if (elf_getshdrstrndx(elf(), &names) != 0) return {};
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf(), section)) != nullptr;) {
        GElf_Shdr header;
        const char* text =
            gelf_getshdr(section, &header) == nullptr ? nullptr : elf_strptr(elf(), names, header.sh_name);
        if (text == nullptr || text != name || (header.sh_flags & SHF_COMPRESSED) != 0) continue;
        const Elf_Data* data = elf_rawdata(section, nullptr);
        if (data == nullptr || data->d_buf == nullptr) continue;
        return {static_cast<const std::uint8_t*>(data->d_buf), data->d_size};
    }
    return {};
}

std::optional<std::uint32_t> file_crc(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return std::nullopt;
    std::vector<unsigned char> buffer(std::size_t{1} << 18U);
    uLong crc = crc32(0, nullptr, 0);
    ssize_t got = 0;
    while ((got = ::read(file, buffer.data(), buffer.size())) > 0) {
        crc = crc32(crc, buffer.data(), static_cast<uInt>(got));
    }
    ::close(file);
    if (got < 0) return std::nullopt;
    return static_cast<std::uint32_t>(crc);
}

} // namespace heddle::symbols
