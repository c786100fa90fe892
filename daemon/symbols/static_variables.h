// The variables of a binary that have one address for the whole run: globals, static members, static locals.
#pragma once

#include "daemon/symbols/member_path.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <elfutils/libdw.h>

namespace heddle::symbols {

/// Memory with a name: a variable, or a member of one.
struct NamedBytes {
    std::string name;
    ByteSpan bytes; ///< addresses
};

class StaticVariables {
  public:
    /// Adds the variables of a unit. Walks its whole tree.
    void add_unit(Dwarf_Die unit);
    /// After the last unit.
    void finish();

    /// The innermost named member that has all of `bytes`; nothing when no variable has them.
    [[nodiscard]] std::optional<NamedBytes> find(ByteSpan bytes) const;

  private:
    struct Variable {
        std::uint64_t address = 0;
        std::uint64_t size = 0;
        std::string name;
        Dwarf_Die type{};
    };

    std::vector<Variable> variables_; ///< by address
};

} // namespace heddle::symbols
