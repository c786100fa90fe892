#include "daemon/symbols/scopes.h"

#include "daemon/symbols/dwarf_tree.h"
#include "daemon/symbols/name_paths.h"
#include "daemon/symbols/readable_name.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace heddle::symbols {

namespace {

class ScopeReader {
  public:
    ScopeReader(UnitFiles& files, const SymbolTable& symbols, AddressRange code, StringTable& strings)
        : files_(files), symbols_(symbols), code_(code), strings_(strings) {}

    Scopes read(Dwarf_Die unit) {
        walk(unit, Scope::kNone, NamePaths::kOutermost, 0);
        for (std::size_t i = 0; i < scopes_.size(); ++i)
            scopes_[i].function = name_of(scopes_[i].entry, begins_[i]);
        return {std::move(scopes_), std::move(ranges_)};
    }

  private:
    void walk(Dwarf_Die parent, std::uint32_t scope, NamePaths::Path around, std::uint32_t depth) {
        if (depth >= kLimits.depth) return;
        for_each_child(parent, [&](Dwarf_Die& entry) {
            if (++entries_seen_ > kLimits.entries || ranges_.size() > kLimits.ranges) return;
            switch (dwarf_tag(&entry)) {
            case DW_TAG_subprogram:
                paths_.note(entry, around);
                if (dwarf_haschildren(&entry) == 0 && !covers_code(entry)) break;
                walk(entry, add_scope(entry, Scope::kNone, depth), paths_.inside(around, entry), depth + 1);
                break;
            case DW_TAG_inlined_subroutine: {
                // In a function that the linker left out, what is inlined may have addresses that look real.
                const std::uint32_t inlined =
                    scope == Scope::kNone ? Scope::kNone : add_scope(entry, scope, depth);
                walk(entry, inlined == Scope::kNone ? scope : inlined, around, depth + 1);
                break;
            }
            case DW_TAG_namespace:
            case DW_TAG_class_type:
            case DW_TAG_structure_type:
            case DW_TAG_union_type: walk(entry, scope, paths_.inside(around, entry), depth + 1); break;
            case DW_TAG_lexical_block:
            case DW_TAG_try_block:
            case DW_TAG_catch_block:
            case DW_TAG_module: walk(entry, scope, around, depth + 1); break;
            default: break;
            }
        });
    }

    static bool covers_code(Dwarf_Die& entry) {
        return dwarf_hasattr(&entry, DW_AT_low_pc) != 0 || dwarf_hasattr(&entry, DW_AT_ranges) != 0;
    }

    /// kNone when the entry covers no code.
    std::uint32_t add_scope(Dwarf_Die& entry, std::uint32_t caller, std::uint32_t depth) {
        if (!covers_code(entry)) return Scope::kNone;
        const auto scope = static_cast<std::uint32_t>(scopes_.size());
        std::optional<std::uint64_t> first;
        for_each_range(entry, [&](std::uint64_t begin, std::uint64_t end) {
            if (!code_.contains(begin) || begin >= end) return;
            if (!first) first = begin;
            ranges_.push_back({.begin = begin, .end = end, .value = scope, .rank = depth});
        });
        if (!first) return Scope::kNone;
        Scope& added = scopes_.emplace_back(Scope{.caller = caller, .entry = entry});
        if (caller != Scope::kNone) {
            added.call_file = files_.path(number_of(entry, DW_AT_call_file).value_or(~std::uint64_t{0}));
            added.call_line = static_cast<std::uint32_t>(number_of(entry, DW_AT_call_line).value_or(0));
            added.call_column = static_cast<std::uint32_t>(number_of(entry, DW_AT_call_column).value_or(0));
        }
        begins_.push_back(*first);
        return scope;
    }

    StringId name_of(Dwarf_Die& entry, std::uint64_t begin) {
        if (dwarf_tag(&entry) == DW_TAG_inlined_subroutine) {
            Dwarf_Die origin = origin_of(entry);
            StringId& known = inlined_names_[origin.addr];
            if (!known.valid()) known = named(linkage_name_of(entry), entry);
            return known;
        }
        std::string_view linkage = linkage_name_of(entry);
        if (linkage.empty()) {
            // Compilers leave it out where no other unit can call the function; the symbol table has it.
            linkage = symbols_.linkage_name_at(begin, text_of(entry, DW_AT_name));
        }
        return named(linkage, entry);
    }

    StringId named(std::string_view linkage, const Dwarf_Die& entry) {
        return strings_.intern(linkage.empty() ? paths_.qualified_name(entry) : demangled(linkage));
    }

    UnitFiles& files_;
    const SymbolTable& symbols_;
    AddressRange code_;
    StringTable& strings_;
    std::vector<Scope> scopes_;
    std::vector<std::uint64_t> begins_; ///< of the scopes: of the first range, where the function is entered
    std::vector<Interval> ranges_;
    NamePaths paths_;
    std::unordered_map<const void*, StringId> inlined_names_; ///< by the function's entry
    std::size_t entries_seen_ = 0;
};

} // namespace

Scopes read_scopes(Dwarf_Die unit, UnitFiles& files, const SymbolTable& symbols, AddressRange code,
                   StringTable& strings) {
    return ScopeReader(files, symbols, code, strings).read(unit);
}

} // namespace heddle::symbols
