#include "daemon/symbols/unit_files.h"

#include "daemon/symbols/dwarf_tree.h"

#include <cstring>

namespace heddle::symbols {

UnitFiles::UnitFiles(Dwarf_Die unit, const SourcePaths& paths, StringTable& strings)
    : paths_(paths), strings_(strings), folder_(text_of(unit, DW_AT_comp_dir)) {
    std::size_t count = 0;
    if (dwarf_getsrcfiles(&unit, &files_, &count) == 0) known_.resize(count);
}

StringId UnitFiles::path(std::size_t number) {
    if (number >= known_.size()) return StringId{0U};
    StringId& known = known_[number];
    if (!known.valid()) {
        const char* name = dwarf_filesrc(files_, number, nullptr, nullptr);
        const std::size_t length = name == nullptr ? 0 : strnlen(name, kLimits.name_length);
        known = strings_.intern(paths_.shown(folder_, {name == nullptr ? "" : name, length}));
    }
    return known;
}

} // namespace heddle::symbols
