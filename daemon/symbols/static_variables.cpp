#include "daemon/symbols/static_variables.h"

#include "daemon/symbols/dwarf_tree.h"
#include "daemon/symbols/name_paths.h"
#include "daemon/symbols/readable_name.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace heddle::symbols {

namespace {

/// Bytes of a variable that are together in memory.
struct Piece {
    ByteSpan bytes;           ///< addresses; their end is 0 if they are as many as the variable has
    std::uint64_t offset = 0; ///< in the variable
    /// Of the variable; others than `bytes` has where a value is kept in fewer bytes than its type has, as a
    /// number of which only "is it 40?" is ever asked. 0: as many as the variable has.
    std::uint64_t size = 0;
};

/// The address that an operation of a location puts on the stack.
std::optional<std::uint64_t> fixed_address(Dwarf_Attribute& location, Dwarf_Op& operation) {
    if (operation.atom == DW_OP_addr) return operation.number;
    if (operation.atom != DW_OP_addrx && operation.atom != DW_OP_GNU_addr_index) return std::nullopt;
    // DWARF 5 keeps addresses in a table of their own.
    Dwarf_Attribute indirect;
    Dwarf_Addr address = 0;
    if (dwarf_getlocation_attr(&location, &operation, &indirect) != 0) return std::nullopt;
    if (dwarf_formaddr(&indirect, &address) != 0) return std::nullopt;
    return address;
}

/// How many bytes the operations after an address take from it: all that there are, if there are no
/// operations; those that a value is computed from. Nothing for any other use.
std::optional<std::uint64_t> bytes_used(std::span<const Dwarf_Op> operations, std::uint64_t all) {
    if (operations.empty()) return all;
    const bool is_value =
        operations.back().atom == DW_OP_stack_value &&
        std::ranges::none_of(operations, [](const Dwarf_Op& one) {
            return one.atom == DW_OP_addr || one.atom == DW_OP_addrx || one.atom == DW_OP_deref;
        });
    if (!is_value || operations[0].atom != DW_OP_deref_size) return std::nullopt;
    return operations[0].number;
}

/// Where a variable is: at one address; or, if Clang has made several variables of it, in pieces, of which
/// those that are not used have no address. Empty for any other location.
std::vector<Piece> pieces_of(Dwarf_Die& variable) {
    Dwarf_Attribute location;
    if (dwarf_attr(&variable, DW_AT_location, &location) == nullptr) return {};
    Dwarf_Op* first = nullptr;
    std::size_t count = 0;
    if (dwarf_getlocation(&location, &first, &count) != 0) return {};
    std::span<Dwarf_Op> rest(first, count);
    std::vector<Piece> pieces;
    std::uint64_t offset = 0;
    while (!rest.empty()) {
        const auto end = std::ranges::find(rest, DW_OP_piece, &Dwarf_Op::atom);
        const std::uint64_t size = end == rest.end() ? 0 : end->number;
        const auto operations = rest.first(static_cast<std::size_t>(end - rest.begin()));
        if (!operations.empty()) {
            const auto address = fixed_address(location, operations[0]);
            const auto used = address ? bytes_used(operations.subspan(1), size) : std::nullopt;
            if (!used) return {};
            pieces.push_back({{*address, *used == 0 ? 0 : *address + *used}, offset, size});
        }
        if (end == rest.end()) break;
        offset += size;
        rest = rest.subspan(operations.size() + 1);
    }
    return pieces;
}

/// Goes through units, and notes where names and variables are.
class Walk {
  public:
    struct Found {
        Dwarf_Die entry;
        std::vector<Piece> pieces;
    };

    void into(Dwarf_Die parent, NamePaths::Path around, std::size_t depth) {
        if (depth >= kLimits.depth) return;
        for_each_child(parent, [&](Dwarf_Die& entry) {
            if (++seen_ > kLimits.entries) return;
            switch (dwarf_tag(&entry)) {
            case DW_TAG_member:
                if (dwarf_hasattr(&entry, DW_AT_external) == 0) break; // not a static one
                [[fallthrough]];
            case DW_TAG_variable: add(entry, around); break;
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
    void add(Dwarf_Die& entry, NamePaths::Path around) {
        // Only what others may refer to needs to be remembered.
        const bool refers = dwarf_hasattr(&entry, DW_AT_abstract_origin) != 0 ||
                            dwarf_hasattr(&entry, DW_AT_specification) != 0;
        if (!refers) paths_.note(entry, around);
        auto pieces = pieces_of(entry);
        if (!pieces.empty()) found_.push_back({entry, std::move(pieces)});
    }

    std::vector<Found> found_;
    NamePaths paths_;
    std::size_t seen_ = 0;
};

/// What only a file that several binaries share knows the surroundings of, the linker may know by its full
/// name.
std::string name_of(Dwarf_Die& variable, const NamePaths& paths) {
    const std::string_view linkage = paths.knows(variable) ? std::string_view{} : linkage_name_of(variable);
    return short_variable_name(linkage.empty() ? paths.qualified_name(variable) : demangled(linkage));
}

} // namespace

StaticVariables::StaticVariables(const std::vector<Dwarf_Die>& units) {
    Walk walk;
    for (const Dwarf_Die& unit : units) walk.into(unit, NamePaths::kOutermost, 0);
    for (auto& [entry, pieces] : walk.found()) {
        const auto type = type_of(entry);
        const std::uint64_t size = type ? size_of(*type) : 0;
        std::string name = name_of(entry, walk.paths());
        if (size == 0 || name.empty()) continue;
        const auto number = static_cast<std::uint32_t>(variables_.size());
        variables_.push_back({std::move(name), size, *type});
        for (const Piece& piece : pieces) {
            const std::uint64_t begin = piece.bytes.begin;
            const std::uint64_t end = piece.bytes.end == 0 ? begin + size : piece.bytes.end;
            if (begin != 0 && begin < end) // else the linker left it out
                parts_.push_back({{begin, end}, piece.offset, piece.size == 0 ? size : piece.size, number});
        }
    }
    std::ranges::stable_sort(parts_, {}, [](const Part& part) { return part.bytes.begin; });
}

std::optional<NamedBytes> StaticVariables::find(ByteSpan bytes) const {
    const auto after =
        std::ranges::upper_bound(parts_, bytes.begin, {}, [](const Part& part) { return part.bytes.begin; });
    if (after == parts_.begin()) return std::nullopt;
    const Part& part = *std::prev(after);
    if (!part.bytes.contains(bytes)) return std::nullopt;
    const Variable& variable = variables_[part.variable];
    const ByteSpan whole{part.offset, part.offset + part.size};
    const bool is_as_declared = part.bytes.end - part.bytes.begin == part.size;
    const std::uint64_t shift = part.bytes.begin - part.offset;
    const Member member =
        member_at(variable.type, variable.size,
                  is_as_declared ? ByteSpan{bytes.begin - shift, bytes.end - shift} : whole);
    if (!is_as_declared) return NamedBytes{.name = variable.name + member.path, .bytes = part.bytes};
    // A member can go on in another part.
    const std::uint64_t first = std::max(member.bytes.begin, whole.begin);
    const std::uint64_t end = std::min(member.bytes.end, whole.end);
    return NamedBytes{.name = variable.name + member.path, .bytes = {first + shift, end + shift}};
}

} // namespace heddle::symbols
