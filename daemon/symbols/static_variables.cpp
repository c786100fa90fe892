#include "daemon/symbols/static_variables.h"

#include "daemon/symbols/dwarf_tree.h"
#include "daemon/symbols/name_paths.h"
#include "daemon/symbols/readable_name.h"

#include <algorithm>
#include <utility>

namespace heddle::symbols {

namespace {

/// The address of a variable whose location is an address and nothing else.
std::optional<std::uint64_t> fixed_address(Dwarf_Die& variable) {
    Dwarf_Attribute location;
    if (dwarf_attr(&variable, DW_AT_location, &location) == nullptr) return std::nullopt;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (dwarf_getlocation(&location, &operations, &count) != 0 || count != 1) return std::nullopt;
    if (operations[0].atom == DW_OP_addr) return operations[0].number;
    if (operations[0].atom != DW_OP_addrx && operations[0].atom != DW_OP_GNU_addr_index) return std::nullopt;
    // DWARF 5 keeps addresses in a table of their own.
    Dwarf_Attribute indirect;
    Dwarf_Addr address = 0;
    if (dwarf_getlocation_attr(&location, &operations[0], &indirect) != 0) return std::nullopt;
    if (dwarf_formaddr(&indirect, &address) != 0) return std::nullopt;
    return address;
}

/// Goes through a unit, and notes where names and variables are.
class Walk {
  public:
    struct Found {
        Dwarf_Die entry;
        std::uint64_t address = 0;
    };

    void into(Dwarf_Die parent, NamePaths::Path around, std::size_t depth) {
        if (depth >= kLimits.depth) return;
        for_each_child(parent, [&](Dwarf_Die& entry) {
            if (++seen_ > kLimits.entries) return;
            switch (dwarf_tag(&entry)) {
            case DW_TAG_member:
                if (dwarf_hasattr(&entry, DW_AT_external) == 0) break; // not a static one
                [[fallthrough]];
            case DW_TAG_variable:
                paths_.note(entry, around);
                if (const auto address = fixed_address(entry)) found_.push_back({entry, *address});
                break;
            case DW_TAG_namespace:
            case DW_TAG_class_type:
            case DW_TAG_structure_type:
            case DW_TAG_union_type:
            case DW_TAG_subprogram:
                if (dwarf_haschildren(&entry) > 0) into(entry, paths_.inside(around, entry), depth + 1);
                break;
            case DW_TAG_lexical_block:
            case DW_TAG_inlined_subroutine:
            case DW_TAG_try_block:
            case DW_TAG_catch_block:
            case DW_TAG_module: into(entry, around, depth + 1); break;
            default: break;
            }
        });
    }

    [[nodiscard]] std::vector<Found>& found() { return found_; }
    [[nodiscard]] const NamePaths& paths() const { return paths_; }

  private:
    std::vector<Found> found_;
    NamePaths paths_;
    std::size_t seen_ = 0;
};

} // namespace

void StaticVariables::add_unit(Dwarf_Die unit) {
    Walk walk;
    walk.into(unit, NamePaths::kOutermost, 0);
    for (auto& [entry, address] : walk.found()) {
        const auto type = type_of(entry);
        if (!type) continue;
        const std::uint64_t size = size_of(*type);
        std::string name = short_variable_name(walk.paths().qualified_name(entry));
        if (address != 0 && size != 0 && !name.empty())
            variables_.push_back({address, size, std::move(name), *type});
    }
}

void StaticVariables::finish() {
    std::ranges::stable_sort(variables_, {}, &Variable::address);
}

std::optional<NamedBytes> StaticVariables::find(ByteSpan bytes) const {
    auto after = std::ranges::upper_bound(variables_, bytes.begin, {}, &Variable::address);
    if (after == variables_.begin()) return std::nullopt;
    const Variable& variable = *--after;
    if (!ByteSpan{variable.address, variable.address + variable.size}.contains(bytes)) return std::nullopt;
    const ByteSpan inside{bytes.begin - variable.address, bytes.end - variable.address};
    const Member member = member_at(variable.type, variable.size, inside);
    return NamedBytes{.name = variable.name + member.path,
                      .bytes = {variable.address + member.bytes.begin, variable.address + member.bytes.end}};
}

} // namespace heddle::symbols
