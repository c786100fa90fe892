#include "daemon/symbols/symbol_table.h"

#include "daemon/symbols/limits.h"

#include <algorithm>
#include <cstring>

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

/// One symbol for each address: the first of those that know their size.
void sort(std::vector<SymbolTable::Symbol>& symbols) {
    using Symbol = SymbolTable::Symbol;
    std::ranges::stable_sort(symbols, [](const Symbol& a, const Symbol& b) {
        return a.address != b.address ? a.address < b.address : (a.size != 0) > (b.size != 0);
    });
    const auto same = [](const Symbol& a, const Symbol& b) { return a.address == b.address; };
    symbols.erase(std::unique(symbols.begin(), symbols.end(), same), symbols.end());
}

const SymbolTable::Symbol* find(const std::vector<SymbolTable::Symbol>& symbols, std::uint64_t address) {
    auto after = std::ranges::upper_bound(symbols, address, {}, &SymbolTable::Symbol::address);
    if (after == symbols.begin()) return nullptr;
    const SymbolTable::Symbol& symbol = *--after;
    return symbol.size == 0 || address - symbol.address < symbol.size ? &symbol : nullptr;
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
}

const SymbolTable::Symbol* SymbolTable::function_at(std::uint64_t address) const {
    return find(functions_, address);
}

const SymbolTable::Symbol* SymbolTable::variable_at(std::uint64_t address) const {
    return find(variables_, address);
}

} // namespace heddle::symbols
