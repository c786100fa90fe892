// The local variables of a function that have a place in its frame.
#pragma once

#include "daemon/symbols/static_variables.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <elfutils/libdw.h>

namespace heddle::symbols {

/// What places in a frame are counted from.
enum class FrameBase : std::uint8_t { cfa, frame_pointer, stack_pointer };

/// The memory of one call of a function.
struct CallFrame {
    std::uint64_t stack_pointer = 0; ///< in the function's body: the lowest address of the frame
    std::uint64_t cfa = 0;           ///< canonical frame address: the stack pointer before the call

    [[nodiscard]] std::uint64_t address_of(FrameBase base) const {
        if (base == FrameBase::stack_pointer) return stack_pointer;
        // A function with a frame pointer has pushed the old one, below the return address.
        return base == FrameBase::cfa ? cfa : cfa - 16;
    }
};

class FrameVariables {
  public:
    /// Walks the function's tree: variables of blocks and of functions that were inlined are its own.
    explicit FrameVariables(Dwarf_Die function);

    /// The innermost named member of a local variable that has all of `bytes`. Nothing when no variable is
    /// known to be there, or when different ones are at different times.
    [[nodiscard]] std::optional<NamedBytes> find(const CallFrame& frame, ByteSpan bytes) const;

  private:
    struct Variable {
        FrameBase base = FrameBase::cfa;
        std::int64_t offset = 0;
        std::uint64_t size = 0;
        std::string name;
        Dwarf_Die type{};
    };

    void walk(Dwarf_Die parent, std::size_t depth);
    void add(Dwarf_Die& variable);

    std::optional<FrameBase> base_; ///< that the function names
    std::vector<Variable> variables_;
    std::size_t seen_ = 0;
};

} // namespace heddle::symbols
