// A place in a source text as debug information has it, and the expression that it is found to be about.
#pragma once

#include "analysis/source/syntax_tree.h"

#include <cstdint>
#include <string_view>

namespace heddle::source {

/// What happens at a place.
enum class Operation : std::uint8_t {
    read,
    write,
    update, ///< both at once, of an atomic variable
    lock,   ///< and unlock
    signal, ///< waiting and notifying: of conditions, barriers, semaphores
    thread, ///< starting and joining one
    other,
};
inline constexpr std::size_t kOperations = 7;

[[nodiscard]] constexpr bool is_access(Operation operation) {
    return operation <= Operation::update;
}

struct Place {
    std::uint32_t line = 0;   ///< from 1
    std::uint32_t column = 0; ///< in bytes, from 1; 0 when it is not known
    Operation operation = Operation::other;
    std::string_view name; ///< of the memory, lock or condition, as debug information has it; may be empty
};

struct Expression {
    ByteRange range;
    bool exact = false; ///< it is what is accessed; otherwise what is accessed is somewhere in it
};

} // namespace heddle::source
