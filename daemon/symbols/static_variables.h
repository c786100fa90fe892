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
    /// Walks the whole trees of all units: one may say where a variable is, and another what it is.
    explicit StaticVariables(const std::vector<Dwarf_Die>& units);

    /// The innermost named member that has all of `bytes`; nothing when no variable has them.
    [[nodiscard]] std::optional<NamedBytes> find(ByteSpan bytes) const;

  private:
    /// A variable, or a part of one that the compiler has put elsewhere than the rest.
    struct Part {
        ByteSpan bytes;           ///< addresses
        std::uint64_t offset = 0; ///< of its first byte in the variable
        std::uint64_t size = 0;   ///< how many bytes of the variable it stands for
        std::uint32_t variable = 0;
    };
    struct Variable {
        std::string name;
        std::uint64_t size = 0;
        Dwarf_Die type{};
    };

    std::vector<Part> parts_; ///< by address
    std::vector<Variable> variables_;
};

} // namespace heddle::symbols
