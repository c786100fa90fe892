// How messages about text traces spell what they quote and count.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::text {

/// 'text', cut when long, with control characters made visible; "the end of the line" when empty.
[[nodiscard]] std::string quoted(std::string_view text);

/// 1203 → "1,203"
[[nodiscard]] std::string grouped(std::uint64_t number);

} // namespace heddle::text
