// A change of a text, in bytes.
#pragma once

#include <cstdint>

namespace heddle::source {

/// The text between `start` and `old_end` became what is now between `start` and `new_end`.
struct TextEdit {
    std::uint32_t start = 0;
    std::uint32_t old_end = 0;
    std::uint32_t new_end = 0;
};

/// Both edits as one, the second made after the first.
[[nodiscard]] constexpr TextEdit combined(const TextEdit& first, const TextEdit& second) {
    const std::uint32_t beyond = second.old_end > first.new_end ? second.old_end - first.new_end : 0;
    const std::uint32_t end = first.new_end > second.old_end ? first.new_end : second.old_end;
    return {first.start < second.start ? first.start : second.start, first.old_end + beyond,
            end - second.old_end + second.new_end};
}

} // namespace heddle::source
