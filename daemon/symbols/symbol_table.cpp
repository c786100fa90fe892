#include "daemon/symbols/symbol_table.h"

#include "daemon/symbols/limits.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>

#include <gelf.h>
#include <libelf.h>

namespace heddle::symbols {

namespace {

Elf_Scn* section_of_type(Elf* elf, GElf_Word type, GElf_Shdr& header) {
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
        if (gelf_getshdr(section, &header) != nullptr && header.sh_type == type && header.sh_size > 0)
            return section;
    }
    return nullptr;
}

/// Functions written in assembly often do not tell their size: they end with the next one, or with the
/// section.
void end_at_next(std::vector<SymbolTable::Symbol>& symbols, const std::vector<AddressRange>& sections) {
    for (SymbolTable::Symbol& symbol : symbols) {
        if (symbol.size != 0) continue;
        const auto section = std::ranges::find_if(
            sections, [&](const AddressRange& one) { return one.contains(symbol.address); });
        if (section == sections.end()) continue;
        const auto next =
            std::ranges::upper_bound(symbols, symbol.address, {}, &SymbolTable::Symbol::address);
        const std::uint64_t end =
            next == symbols.end() ? section->end : std::min(next->address, section->end);
        symbol.size = end - symbol.address;
    }
}

/// Where code is.
std::vector<AddressRange> code_sections(Elf* elf) {
    std::vector<AddressRange> sections;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) != nullptr && (header.sh_flags & SHF_EXECINSTR) != 0)
            sections.push_back({header.sh_addr, header.sh_addr + header.sh_size});
    }
    return sections;
}

/// By address, those that know their size first.
void sort(std::vector<SymbolTable::Symbol>& symbols) {
    using Symbol = SymbolTable::Symbol;
    std::ranges::stable_sort(symbols, [](const Symbol& a, const Symbol& b) {
        return a.address != b.address ? a.address < b.address : (a.size != 0) > (b.size != 0);
    });
}

bool is_mangled(std::string_view name) {
    return name.starts_with("_Z");
}

/// Whether the linker's name is made of the source's: "deposit.part.0", "_ZN7Account7depositEi".
bool is_made_of(std::string_view linkage_name, std::string_view source_name) {
    if (is_mangled(linkage_name)) {
        const std::string part = std::to_string(source_name.size()) + std::string(source_name);
        return linkage_name.find(part) != std::string_view::npos;
    }
    return linkage_name.substr(0, linkage_name.find('.')) == source_name;
}

const SymbolTable::Symbol* find(const std::vector<SymbolTable::Symbol>& symbols, std::uint64_t address) {
    auto after = std::ranges::upper_bound(symbols, address, {}, &SymbolTable::Symbol::address);
    if (after == symbols.begin()) return nullptr;
    const auto first = std::ranges::lower_bound(symbols.begin(), after, std::prev(after)->address, {},
                                                &SymbolTable::Symbol::address);
    return address - first->address < first->size ? &*first : nullptr;
}

} // namespace

SymbolTable::SymbolTable(const ElfImage& image) {
    GElf_Shdr header;
    Elf_Scn* section = section_of_type(image.elf(), SHT_SYMTAB, header);
    if (section == nullptr) section = section_of_type(image.elf(), SHT_DYNSYM, header);
    if (section == nullptr || header.sh_entsize == 0) return;
    Elf_Data* data = elf_getdata(section, nullptr);
    if (data == nullptr || data->d_buf == nullptr) return;
    const std::size_t count = data->d_size / sizeof(Elf64_Sym);
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Sym symbol;
        if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) break;
        const unsigned type = GELF_ST_TYPE(symbol.st_info);
        const bool is_code = type == STT_FUNC || type == STT_GNU_IFUNC;
        if ((!is_code && type != STT_OBJECT) || symbol.st_shndx == SHN_UNDEF || symbol.st_value == 0)
            continue;
        const char* text = elf_strptr(image.elf(), header.sh_link, symbol.st_name);
        if (text == nullptr || *text == 0) continue;
        (is_code ? functions_ : variables_)
            .push_back({symbol.st_value, symbol.st_size, {text, strnlen(text, kLimits.name_length)}});
    }
    sort(functions_);
    sort(variables_);
    end_at_next(functions_, code_sections(image.elf()));
}

const SymbolTable::Symbol* SymbolTable::function_at(std::uint64_t address) const {
    return find(functions_, address);
}

std::string_view SymbolTable::linkage_name_at(std::uint64_t address, std::string_view source_name) const {
    const auto begin = std::ranges::lower_bound(functions_, address, {}, &Symbol::address);
    const auto end = std::ranges::upper_bound(functions_, address, {}, &Symbol::address);
    auto found =
        std::find_if(begin, end, [&](const Symbol& one) { return is_made_of(one.name, source_name); });
    // Operators and constructors are spelled in other ways.
    if (found == end)
        found = std::find_if(begin, end, [](const Symbol& one) { return is_mangled(one.name); });
    return found == end ? std::string_view{} : found->name;
}

const SymbolTable::Symbol* SymbolTable::variable_at(std::uint64_t address) const {
    return find(variables_, address);
}

} // namespace heddle::symbols
