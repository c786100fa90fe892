// Which part of a line stands for a place: the token at its column, or the line without its indentation when
// nothing finer is known. The one thing to replace when places are mapped to whole expressions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heddle::present {

struct ByteRange {
    std::size_t first = 0;
    std::size_t end = 0;

    bool operator==(const ByteRange&) const = default;
};

/// `column` is in bytes, from 1; 0 when it is not known.
[[nodiscard]] ByteRange range_in_line(std::string_view line, std::uint32_t column);

} // namespace heddle::present
