// Numbers, sizes and times as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::report {

[[nodiscard]] std::string grouped(std::uint64_t number);                       ///< 48,211
[[nodiscard]] std::string byte_count(std::uint64_t bytes);                     ///< 71.0 KiB
[[nodiscard]] std::string duration(std::uint64_t ns);                          ///< 1.42 s
[[nodiscard]] std::string counted(std::uint64_t number, std::string_view one); ///< 1 thread, 3 threads
[[nodiscard]] std::string and_more(std::uint64_t number); ///< " and 3 more like it", or nothing for none
[[nodiscard]] std::string utc_time(std::int64_t unix_ns); ///< 2026-11-16 14:02:07 UTC

} // namespace heddle::report
