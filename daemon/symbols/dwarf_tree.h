// Small questions to libdw about entries of debug information, with answers that fit this program. Each copes
// with damaged input: what cannot be read is absent.
#pragma once

#include "daemon/symbols/limits.h"

#include <cstdint>
#include <optional>
#include <string_view>

#include <dwarf.h>
#include <elfutils/libdw.h>

namespace heddle::symbols {

/// Calls visit(entry) for each child, in order.
template<typename Visit>
void for_each_child(Dwarf_Die parent, Visit&& visit) {
    Dwarf_Die child;
    if (dwarf_child(&parent, &child) != 0) return;
    for (;;) {
        visit(child);
        const Dwarf_Off before = dwarf_dieoffset(&child);
        // Damaged entries may lead back.
        if (dwarf_siblingof(&child, &child) != 0 || dwarf_dieoffset(&child) <= before) return;
    }
}

/// A number that an entry has itself, or inherits from the declaration or abstract function it stands for.
[[nodiscard]] std::optional<std::uint64_t> number_of(Dwarf_Die& entry, unsigned attribute);
/// A text, likewise; empty if there is none.
[[nodiscard]] std::string_view text_of(Dwarf_Die& entry, unsigned attribute);
/// The entry that an attribute refers to.
[[nodiscard]] std::optional<Dwarf_Die> entry_of(Dwarf_Die& entry, unsigned attribute);
/// The type of a variable, its own or inherited.
[[nodiscard]] std::optional<Dwarf_Die> type_of(Dwarf_Die& variable);
/// The name that the linker knows an entry by; empty if it has none.
[[nodiscard]] std::string_view linkage_name_of(Dwarf_Die& entry);

/// Calls visit(begin, end) for each range of addresses that an entry covers; tells how many there were.
template<typename Visit>
std::size_t for_each_range(Dwarf_Die& entry, Visit&& visit) {
    Dwarf_Addr base = 0;
    Dwarf_Addr begin = 0;
    Dwarf_Addr end = 0;
    std::size_t count = 0;
    for (std::ptrdiff_t at = 0; count < kLimits.ranges; ++count) {
        const std::ptrdiff_t next = dwarf_ranges(&entry, at, &base, &begin, &end);
        if (next <= at) break; // the end, an error, or a list that leads back
        at = next;
        visit(std::uint64_t{begin}, std::uint64_t{end});
    }
    return count;
}

} // namespace heddle::symbols
