// Which texts are looked at as source code.
#pragma once

#include <cstddef>
#include <string_view>

namespace heddle::report {

/// False for what programs wrote for programs: a zero byte, or a line so long that all of it is one
/// expression of a hundred thousand parts, in which finding the one that is meant takes a minute.
inline bool could_be_source(std::string_view text) {
    constexpr std::size_t kLongestLine = std::size_t{64} << 10U;
    if (text.find('\0') != std::string_view::npos) return false;
    while (text.size() > kLongestLine) {
        const std::size_t end = text.rfind('\n', kLongestLine);
        if (end == std::string_view::npos) return false;
        text.remove_prefix(end + 1);
    }
    return true;
}

} // namespace heddle::report
