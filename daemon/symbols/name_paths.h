// Names with the namespaces, classes and functions around them: "Bank::total", "next_id::counter". Filled
// while a unit's tree is walked, because an entry of debug information does not know what it is in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <elfutils/libdw.h>

namespace heddle::symbols {

/// The entry that says what another one is: its declaration, or the function in the abstract.
[[nodiscard]] Dwarf_Die origin_of(Dwarf_Die entry);

class NamePaths {
  public:
    using Path = std::uint32_t;
    static constexpr Path kOutermost = 0xFFFF'FFFF;

    /// The path of what is inside `entry`, which itself is inside `around`.
    [[nodiscard]] Path inside(Path around, Dwarf_Die& entry);
    /// Notes what `entry` is in, for qualified_name().
    void note(Dwarf_Die& entry, Path around) { around_[entry.addr] = around; }

    /// Whether it was noted what an entry, or the one that it stands for, is in.
    [[nodiscard]] bool knows(Dwarf_Die entry) const { return around_.contains(origin_of(entry).addr); }
    /// The name of an entry, which may stand for another one that was noted.
    [[nodiscard]] std::string qualified_name(Dwarf_Die entry) const;

  private:
    struct Step {
        Path outer = kOutermost;
        std::string_view name;
    };

    std::vector<Step> steps_;
    /// By the entry's address: offsets are the same in different files.
    std::unordered_map<const void*, Path> around_;
};

} // namespace heddle::symbols
