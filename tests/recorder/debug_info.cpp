#include "debug_info.h"

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string_view>

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

namespace heddle::test {

namespace {

std::string base_name(const char* path) {
    return path == nullptr ? "" : std::filesystem::path(path).filename().string();
}

std::string readable(const char* symbol) {
    // Without the prefix, the name of a C variable may be taken for that of a type.
    if (!std::string_view(symbol).starts_with("_Z")) return symbol;
    int status = 0;
    char* text = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
    std::string name = status == 0 ? text : symbol;
    std::free(text);
    constexpr std::string_view kGuard = "guard variable for ";
    if (name.starts_with(kGuard)) name.erase(0, kGuard.size());
    return name;
}

/// Where an inlined function was called from.
struct CallSite {
    std::string file;
    unsigned line = 0;
};

CallSite call_site(Dwarf_Die* unit, Dwarf_Die* inlined) {
    Dwarf_Attribute attribute;
    Dwarf_Word file = 0;
    Dwarf_Word line = 0;
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file) != 0 ||
        dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) != 0) {
        return {};
    }
    Dwarf_Files* files = nullptr;
    std::size_t count = 0;
    if (dwarf_getsrcfiles(unit, &files, &count) != 0) return {};
    return {base_name(dwarf_filesrc(files, file, nullptr, nullptr)), static_cast<unsigned>(line)};
}

/// Looks at every unit: Clang writes no table from addresses to units, without which libdwfl finds none.
Dwarf_Die* unit_of(Dwfl_Module* module, std::uint64_t code) {
    Dwarf_Addr bias = 0;
    Dwarf_Die* unit = nullptr;
    while ((unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr) {
        if (dwarf_haspc(unit, code) > 0) return unit;
    }
    return nullptr;
}

} // namespace

struct DebugInfo::Library {
    Dwfl_Callbacks callbacks{};
    Dwfl* session = nullptr;
    Dwfl_Module* module = nullptr;
    std::uint64_t shift = 0; ///< from addresses in the file to those the library gives out
};

DebugInfo::DebugInfo(const std::string& program) : library_(std::make_unique<Library>()) {
    library_->callbacks.find_debuginfo = dwfl_standard_find_debuginfo;
    library_->callbacks.section_address = dwfl_offline_section_address;
    library_->session = dwfl_begin(&library_->callbacks);
    library_->module = dwfl_report_offline(library_->session, "", program.c_str(), -1);
    dwfl_report_end(library_->session, nullptr, nullptr);
    if (library_->module == nullptr || dwfl_module_getdwarf(library_->module, &library_->shift) == nullptr)
        throw std::runtime_error(program + ": no debug information");
    read_variables();
}

DebugInfo::~DebugInfo() {
    dwfl_end(library_->session);
}

void DebugInfo::read_variables() {
    const int count = dwfl_module_getsymtab(library_->module);
    for (int i = 0; i < count; ++i) {
        GElf_Sym symbol;
        GElf_Addr address = 0;
        const char* name =
            dwfl_module_getsym_info(library_->module, i, &symbol, &address, nullptr, nullptr, nullptr);
        if (name == nullptr || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_size == 0) continue;
        variables_[address - library_->shift] = {readable(name), symbol.st_size};
    }
}

unsigned DebugInfo::line_of(std::uint64_t code, const std::string& source) const {
    Dwarf_Die* unit = unit_of(library_->module, code);
    if (unit == nullptr) return 0;
    Dwarf_Line* found = dwarf_getsrc_die(unit, code);
    int line = 0;
    if (found != nullptr && dwarf_lineno(found, &line) == 0 &&
        base_name(dwarf_linesrc(found, nullptr, nullptr)) == source) {
        return static_cast<unsigned>(line);
    }
    Dwarf_Die* at = nullptr;
    if (dwarf_getscopes(unit, code, &at) <= 0) return 0;
    Dwarf_Die* around = nullptr;
    const int depth = dwarf_getscopes_die(&at[0], &around);
    std::free(at);
    unsigned result = 0;
    for (int i = 0; i < depth && result == 0; ++i) {
        if (dwarf_tag(&around[i]) != DW_TAG_inlined_subroutine) continue;
        const CallSite site = call_site(unit, &around[i]);
        if (site.file == source) result = site.line;
    }
    std::free(around);
    return result;
}

std::string DebugInfo::function_of(std::uint64_t code) const {
    const char* name = dwfl_module_addrname(library_->module, code + library_->shift);
    if (name == nullptr) return "";
    const std::string text = readable(name);
    return text.substr(0, text.find('('));
}

std::string DebugInfo::variable_at(std::uint64_t address) const {
    auto next = variables_.upper_bound(address);
    if (next == variables_.begin()) return "";
    const auto& [start, variable] = *--next;
    if (address >= start + variable.size) return "";
    return address == start ? variable.name : variable.name + "+" + std::to_string(address - start);
}

} // namespace heddle::test
