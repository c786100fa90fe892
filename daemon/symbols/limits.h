// How much of a binary's debug information is looked at. Real binaries are far below; damaged ones may claim
// anything. What lies beyond a limit is not known, as if the binary did not have it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::symbols {

struct Limits {
    std::size_t units = 1'000'000;     ///< of one file
    std::size_t entries = 100'000'000; ///< of one unit's tree
    std::size_t depth = 128;           ///< of one unit's tree
    std::size_t ranges = 10'000'000;   ///< of the scopes of one unit, or of all units of a file
    std::size_t inlined = 64;          ///< functions at one address
    std::size_t name_length = 16'384;  ///< of functions, variables and files
    std::size_t type_depth = 32;       ///< from a variable to the innermost member
    std::size_t members = 100'000;     ///< of one class that are looked at
};

inline constexpr Limits kLimits{};

} // namespace heddle::symbols
