#include "traces/text/wording.h"

#include <fmt/format.h>

namespace heddle::text {

std::string quoted(std::string_view text) {
    constexpr std::size_t kLongest = 40;
    if (text.empty()) return "the end of the line";
    std::size_t length = std::min(text.size(), kLongest);
    // Not in the middle of a UTF-8 character.
    const auto continues = [&](std::size_t at) {
        return (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
    };
    while (length < text.size() && length > 0 && continues(length)) --length;
    std::string result = "'";
    for (const char c : text.substr(0, length)) {
        if (static_cast<unsigned char>(c) < 0x20U || c == 0x7F) {
            result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        } else {
            result += c;
        }
    }
    return result + (length < text.size() ? "…'" : "'");
}

std::string grouped(std::uint64_t number) {
    std::string digits = fmt::format("{}", number);
    for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
    return digits;
}

} // namespace heddle::text
