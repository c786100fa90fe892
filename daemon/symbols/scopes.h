// The functions of a unit, and the calls that the compiler put in line: which of them an instruction belongs
// to.
#pragma once

#include "daemon/symbols/interval_map.h"
#include "daemon/symbols/symbol_table.h"
#include "daemon/symbols/unit_files.h"
#include "traces/string_table.h"

#include <cstdint>
#include <vector>

#include <elfutils/libdw.h>

namespace heddle::symbols {

struct Scope {
    static constexpr std::uint32_t kNone = IntervalMap::kNothing;

    std::uint32_t caller = kNone; ///< the scope that it was inlined into; kNone: a function of its own
    Dwarf_Die entry{};
    StringId function{0U};  ///< demangled
    StringId call_file{0U}; ///< of an inlined function: where it was called
    std::uint32_t call_line = 0;
    std::uint32_t call_column = 0;
};

class Scopes {
  public:
    Scopes() = default;
    Scopes(std::vector<Scope> scopes, std::vector<Interval> ranges)
        : scopes_(std::move(scopes)), by_address_(std::move(ranges)) {}

    /// The innermost scope at an address, or kNone. O(log ranges).
    [[nodiscard]] std::uint32_t find(std::uint64_t address) const { return by_address_.find(address); }
    [[nodiscard]] const Scope& operator[](std::uint32_t scope) const { return scopes_[scope]; }

  private:
    std::vector<Scope> scopes_; ///< callers before those they inline
    IntervalMap by_address_;
};

/// Walks the whole tree of a unit once. Ranges outside `code` are about code that the linker left out.
[[nodiscard]] Scopes read_scopes(Dwarf_Die unit, UnitFiles& files, const SymbolTable& symbols,
                                 AddressRange code, StringTable& strings);

} // namespace heddle::symbols
