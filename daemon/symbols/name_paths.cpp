#include "daemon/symbols/name_paths.h"

#include "daemon/symbols/dwarf_tree.h"

namespace heddle::symbols {

Dwarf_Die origin_of(Dwarf_Die entry) {
    constexpr int kSteps = 16;
    for (int i = 0; i < kSteps; ++i) {
        auto next = entry_of(entry, DW_AT_abstract_origin);
        if (!next) next = entry_of(entry, DW_AT_specification);
        if (!next) break;
        entry = *next;
    }
    return entry;
}

NamePaths::Path NamePaths::inside(Path around, Dwarf_Die& entry) {
    std::string_view name = text_of(entry, DW_AT_name);
    const int tag = dwarf_tag(&entry);
    if (name.empty() && tag == DW_TAG_namespace) name = "(anonymous namespace)";
    // GCC gives the classes of lambdas no name.
    if (name.empty() && (tag == DW_TAG_structure_type || tag == DW_TAG_class_type)) name = "{lambda}";
    steps_.push_back({around, name});
    return static_cast<Path>(steps_.size() - 1);
}

std::string NamePaths::qualified_name(Dwarf_Die entry) const {
    Dwarf_Die origin = origin_of(entry);
    const std::string_view own = text_of(origin, DW_AT_name);
    const auto found = around_.find(origin.addr);
    std::string name(own);
    if (name.empty() || found == around_.end()) return name;
    std::size_t steps = 0;
    for (Path at = found->second; at != kOutermost && steps < kLimits.depth; at = steps_[at].outer, ++steps) {
        if (!steps_[at].name.empty()) name.insert(0, std::string(steps_[at].name) + "::");
        if (name.size() > kLimits.name_length) return std::string(own);
    }
    return name;
}

} // namespace heddle::symbols
