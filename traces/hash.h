// The hash of the project: XXH3, for tables in memory and for checksums in files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace heddle {

[[nodiscard]] inline std::uint64_t hash_bytes(const void* data, std::size_t size) {
    return XXH3_64bits(data, size);
}
[[nodiscard]] inline std::uint64_t hash_of(std::string_view text) {
    return hash_bytes(text.data(), text.size());
}
/// Mixes a number into a hash; for rows of several fields.
[[nodiscard]] constexpr std::uint64_t hash_mix(std::uint64_t hash, std::uint64_t number) {
    std::uint64_t mixed = (hash ^ number) * 0x9E37'79B9'7F4A'7C15U;
    mixed ^= mixed >> 32U;
    mixed *= 0xD6E8'FEB8'6659'FD93U;
    return mixed ^ (mixed >> 29U);
}
/// Of three words that are there at once; for rows that are looked up for every event.
[[nodiscard]] constexpr std::uint64_t hash_words(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return hash_mix(a * 0x9FB2'1C65'1E98'DF25U + b * 0xC2B2'AE3D'27D4'EB4FU, c * 0x1656'67B1'9E37'79F9U);
}

} // namespace heddle
