#include "daemon/symbols/dwarf_tree.h"

#include <cstring>

namespace heddle::symbols {

std::optional<std::uint64_t> number_of(Dwarf_Die& entry, unsigned attribute) {
    Dwarf_Attribute found;
    Dwarf_Word value = 0;
    if (dwarf_formudata(dwarf_attr_integrate(&entry, attribute, &found), &value) != 0) return std::nullopt;
    return value;
}

std::string_view text_of(Dwarf_Die& entry, unsigned attribute) {
    Dwarf_Attribute found;
    const char* text = dwarf_formstring(dwarf_attr_integrate(&entry, attribute, &found));
    return text == nullptr ? std::string_view{} : std::string_view(text, strnlen(text, kLimits.name_length));
}

std::optional<Dwarf_Die> entry_of(Dwarf_Die& entry, unsigned attribute) {
    Dwarf_Attribute found;
    Dwarf_Die result;
    if (dwarf_formref_die(dwarf_attr(&entry, attribute, &found), &result) == nullptr) return std::nullopt;
    return result;
}

std::optional<Dwarf_Die> type_of(Dwarf_Die& variable) {
    Dwarf_Attribute found;
    Dwarf_Die result;
    if (dwarf_formref_die(dwarf_attr_integrate(&variable, DW_AT_type, &found), &result) == nullptr)
        return std::nullopt;
    return result;
}

std::string_view linkage_name_of(Dwarf_Die& entry) {
    const std::string_view name = text_of(entry, DW_AT_linkage_name);
    return name.empty() ? text_of(entry, DW_AT_MIPS_linkage_name) : name;
}

} // namespace heddle::symbols
