// Bytes of a text.
#pragma once

#include <cstdint>

namespace heddle::source {

/// The end excluded.
struct ByteRange {
    std::uint32_t first = 0;
    std::uint32_t end = 0;

    [[nodiscard]] constexpr std::uint32_t size() const { return end - first; }
    [[nodiscard]] constexpr bool contains(std::uint32_t byte) const { return first <= byte && byte < end; }
    [[nodiscard]] constexpr bool contains(const ByteRange& other) const {
        return first <= other.first && other.end <= end;
    }
    constexpr bool operator==(const ByteRange&) const = default;
};

} // namespace heddle::source
