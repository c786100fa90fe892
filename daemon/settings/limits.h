// How much of a settings or suppressions file is looked at. What people write is far below.
#pragma once

#include <cstddef>

namespace heddle::settings {

struct Limits {
    std::size_t config_bytes = std::size_t{1} << 20U;
    std::size_t config_depth = 32;
    std::size_t list_items = 10'000; ///< of a setting that is a list
    std::size_t problems = 50;       ///< of one layer or file that are told one by one
    std::size_t suppressions_bytes = std::size_t{8} << 20U;
    std::size_t suppressions = 100'000;
    std::size_t pattern_bytes = 4096;
};

inline constexpr Limits kLimits{};

} // namespace heddle::settings
