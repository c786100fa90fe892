#include "daemon/record/elf_file.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

namespace heddle::record {

namespace {

#if defined(__x86_64__)
constexpr GElf_Half kThisMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr GElf_Half kThisMachine = EM_AARCH64;
#else
#error "tell how ELF calls this machine"
#endif

/// Defined by every form of the recorder, and by nothing else.
constexpr std::string_view kRecorderMark = "heddle_recorder_version";

class Descriptor {
  public:
    explicit Descriptor(const std::string& path) : number_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
    ~Descriptor() {
        if (number_ >= 0) close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor(Descriptor&&) = delete;
    Descriptor& operator=(Descriptor&&) = delete;
    [[nodiscard]] int number() const { return number_; }

  private:
    int number_;
};

struct EndElf {
    void operator()(Elf* elf) const { elf_end(elf); }
};
using ElfHandle = std::unique_ptr<Elf, EndElf>;

std::string with_origin(std::string path, const std::string& origin) {
    for (const std::string_view word : {"${ORIGIN}", "$ORIGIN"}) {
        for (std::size_t at = path.find(word); at != std::string::npos;
             at = path.find(word, at + origin.size())) {
            path.replace(at, word.size(), origin);
        }
    }
    return path;
}

void add_search_paths(ElfFile& file, std::string_view list, const std::string& origin) {
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(':'), list.size());
        if (end > 0) file.search_paths.push_back(with_origin(std::string(list.substr(0, end)), origin));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
}

void read_dynamic(ElfFile& file, Elf* elf, Elf_Scn* section, const GElf_Shdr& header,
                  const std::string& origin) {
    Elf_Data* data = elf_getdata(section, nullptr);
    if (data == nullptr || header.sh_entsize == 0) return;
    const int count = static_cast<int>(data->d_size / header.sh_entsize);
    for (int i = 0; i < count; ++i) {
        GElf_Dyn entry;
        if (gelf_getdyn(data, i, &entry) == nullptr || entry.d_tag == DT_NULL) return;
        const char* text = elf_strptr(elf, header.sh_link, entry.d_un.d_val);
        if (text == nullptr) continue;
        if (entry.d_tag == DT_NEEDED) file.needed.emplace_back(text);
        if (entry.d_tag == DT_RPATH || entry.d_tag == DT_RUNPATH) add_search_paths(file, text, origin);
    }
}

void read_symbols(ElfFile& file, Elf* elf, Elf_Scn* section, const GElf_Shdr& header) {
    Elf_Data* data = elf_getdata(section, nullptr);
    if (data == nullptr || header.sh_entsize == 0) return;
    const int count = static_cast<int>(data->d_size / header.sh_entsize);
    for (int i = 0; i < count; ++i) {
        GElf_Sym symbol;
        if (gelf_getsym(data, i, &symbol) == nullptr) return;
        const char* text = elf_strptr(elf, header.sh_link, symbol.st_name);
        if (text == nullptr) continue;
        const std::string_view name = text;
        if (symbol.st_shndx == SHN_UNDEF) continue;
        if (name == kRecorderMark) file.has_recorder = true;
        if (name == "__tsan_init") file.has_tsan = true;
    }
}

Result<ElfFile> read_sections(const std::string& path, Elf* elf) {
    GElf_Ehdr header;
    if (gelf_getehdr(elf, &header) == nullptr) return fail(fmt::format("{}: {}", path, elf_errmsg(-1)));
    if (header.e_machine != kThisMachine) return ElfFile{.kind = FileKind::foreign};
    ElfFile file{.kind = FileKind::elf};
    const std::string origin = std::filesystem::absolute(path).parent_path().string();
    Elf_Scn* section = nullptr;
    while ((section = elf_nextscn(elf, section)) != nullptr) {
        GElf_Shdr about;
        if (gelf_getshdr(section, &about) == nullptr) continue;
        if (about.sh_type == SHT_DYNAMIC) {
            file.dynamic = true;
            read_dynamic(file, elf, section, about, origin);
        } else if (about.sh_type == SHT_DYNSYM || about.sh_type == SHT_SYMTAB) {
            read_symbols(file, elf, section, about);
        }
    }
    return file;
}

} // namespace

Result<ElfFile> read_elf_file(const std::string& path) {
    const Descriptor file(path);
    if (file.number() < 0) return fail(fmt::format("{}: {}", path, std::generic_category().message(errno)));
    std::array<char, 4> start{};
    const ssize_t got = pread(file.number(), start.data(), start.size(), 0);
    if (got < 0) return fail(fmt::format("{}: {}", path, std::generic_category().message(errno)));
    if (got >= 2 && start[0] == '#' && start[1] == '!') return ElfFile{.kind = FileKind::script};
    if (got < 4 || std::memcmp(start.data(), ELFMAG, SELFMAG) != 0) return ElfFile{};

    elf_version(EV_CURRENT);
    const ElfHandle elf(elf_begin(file.number(), ELF_C_READ, nullptr));
    if (elf == nullptr) return fail(fmt::format("{}: {}", path, elf_errmsg(-1)));
    return read_sections(path, elf.get());
}

} // namespace heddle::record
