#include "traces/recorder/modules.h"

#include "traces/recorder/spin_lock.h"
#include "traces/recorder/thread_state.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <string_view>

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <unistd.h>

namespace heddle::recorder {

namespace {

struct Modules {
    SpinLock lock;
    std::vector<LoadedModule> all;
};
/// Never destroyed: threads may outlive the library's destructors.
Modules& modules() {
    static Modules* const table = new Modules;
    return *table;
}

std::string hex(const unsigned char* bytes, std::size_t size) {
    static constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (std::size_t i = 0; i < size; ++i) {
        text += kDigits[bytes[i] >> 4U];
        text += kDigits[bytes[i] & 15U];
    }
    return text;
}

std::string build_id_in(const unsigned char* notes, std::size_t size) {
    const auto padded = [](std::size_t bytes) { return (bytes + 3) & ~std::size_t{3}; };
    while (size >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        std::memcpy(&note, notes, sizeof(note));
        const std::size_t whole = sizeof(note) + padded(note.n_namesz) + padded(note.n_descsz);
        if (whole > size) break;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
            std::memcmp(notes + sizeof(note), ELF_NOTE_GNU, 4) == 0) {
            return hex(notes + sizeof(note) + padded(note.n_namesz), note.n_descsz);
        }
        notes += whole;
        size -= whole;
    }
    return {};
}

std::string program_path() {
    char path[4096];
    const ssize_t size = ::readlink("/proc/self/exe", path, sizeof(path));
    return size > 0 ? std::string(path, static_cast<std::size_t>(size)) : std::string();
}

int add_module(dl_phdr_info* info, std::size_t /*size*/, void* found) {
    LoadedModule module{.bias = info->dlpi_addr, .begin = ~std::uint64_t{0}};
    auto& list = *static_cast<std::vector<LoadedModule>*>(found);
    for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& segment = info->dlpi_phdr[i];
        const std::uint64_t at = info->dlpi_addr + segment.p_vaddr;
        if (segment.p_type == PT_LOAD) {
            module.begin = std::min(module.begin, at);
            module.end = std::max(module.end, at + segment.p_memsz);
        } else if (segment.p_type == PT_NOTE && module.build_id.empty()) {
            module.build_id = build_id_in(reinterpret_cast<const unsigned char*>(at), segment.p_memsz);
        }
    }
    if (module.end == 0) return 0;
    module.path = list.empty() ? program_path() : info->dlpi_name;
    list.push_back(std::move(module));
    return 0;
}

/// Without the dynamic linker's lock, so that a thread in a library's constructor can be writing a trace.
bool is_loaded(std::uint64_t code_address, dl_find_object& found) {
    return ::_dl_find_object(reinterpret_cast<void*>(code_address), &found) == 0;
}

/// A library that was loaded since the last refresh.
LoadedModule module_at(const dl_find_object& found) {
    LoadedModule module{.path = found.dlfo_link_map->l_name,
                        .bias = found.dlfo_link_map->l_addr,
                        .begin = reinterpret_cast<std::uint64_t>(found.dlfo_map_start),
                        .end = reinterpret_cast<std::uint64_t>(found.dlfo_map_end)};
    const auto* header = static_cast<const ElfW(Ehdr)*>(found.dlfo_map_start);
    if (std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return module;
    const auto* segments = reinterpret_cast<const ElfW(Phdr)*>(module.begin + header->e_phoff);
    for (unsigned i = 0; i < header->e_phnum && module.build_id.empty(); ++i) {
        if (segments[i].p_type != PT_NOTE) continue;
        module.build_id = build_id_in(
            reinterpret_cast<const unsigned char*>(module.bias + segments[i].p_vaddr), segments[i].p_memsz);
    }
    return module;
}

} // namespace

void refresh_modules() noexcept {
    std::vector<LoadedModule> found;
    ::dl_iterate_phdr(add_module, &found);
    Modules& table = modules();
    const std::scoped_lock lock(table.lock);
    for (LoadedModule& module : found) {
        const bool known = std::any_of(table.all.begin(), table.all.end(), [&](const LoadedModule& old) {
            return !old.unloaded && old.bias == module.bias && old.path == module.path &&
                   old.build_id == module.build_id;
        });
        if (!known) table.all.push_back(std::move(module));
    }
}

void lock_modules() noexcept {
    modules().lock.lock();
}
void unlock_modules() noexcept {
    modules().lock.unlock();
}

void for_each_unloaded_module(void (*action)(std::uint64_t begin, std::uint64_t end)) noexcept {
    Modules& table = modules();
    const std::scoped_lock lock(table.lock);
    for (LoadedModule& module : table.all) {
        dl_find_object found{};
        if (module.unloaded || is_loaded(module.begin, found)) continue;
        module.unloaded = true;
        action(module.begin, module.end);
    }
}

std::uint32_t ModuleTable::find(std::uint64_t code_address) noexcept {
    Modules& table = modules();
    const std::scoped_lock lock(table.lock);
    dl_find_object loaded{};
    const bool is_there = is_loaded(code_address, loaded);
    for (std::size_t i = table.all.size(); i-- > 0;) {
        const LoadedModule& module = table.all[i];
        if (code_address < module.begin || code_address >= module.end) continue;
        if (!is_there || module.bias == loaded.dlfo_link_map->l_addr) return static_cast<std::uint32_t>(i);
    }
    if (!is_there) return kUnknown;
    table.all.push_back(module_at(loaded));
    return static_cast<std::uint32_t>(table.all.size() - 1);
}

LoadedModule ModuleTable::get(std::uint32_t number) noexcept {
    Modules& table = modules();
    const std::scoped_lock lock(table.lock);
    return table.all[number];
}

std::uint32_t ModuleTable::size() noexcept {
    Modules& table = modules();
    const std::scoped_lock lock(table.lock);
    return static_cast<std::uint32_t>(table.all.size());
}

} // namespace heddle::recorder
