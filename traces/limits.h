// Every cap that reading and writing traces obeys. Reaching one is reported to the user.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle {

struct Limits {
    std::uint64_t max_events = 0x7FFF'FFF0U;              ///< event ids are 31 bits
    std::size_t max_line_bytes = std::size_t{1} << 20U;   ///< of a text trace
    std::size_t max_chunk_bytes = std::size_t{16} << 20U; ///< of a .htr chunk, compressed or not
    std::size_t max_chunk_events = std::size_t{1} << 20U; ///< of a .htr chunk
    std::size_t max_streams = std::size_t{1} << 20U;      ///< of a .htr file
    std::size_t max_modules = std::size_t{1} << 16U;      ///< of any trace
    std::size_t max_damage_reported = 100;
};

} // namespace heddle
