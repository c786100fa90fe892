#include "daemon/report/number_words.h"

#include <array>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace heddle::report {

std::string grouped(std::uint64_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
    return digits;
}

std::string byte_count(std::uint64_t bytes) {
    if (bytes < 1024) return counted(bytes, "byte");
    constexpr std::array<std::string_view, 4> kUnits = {"KiB", "MiB", "GiB", "TiB"};
    double amount = static_cast<double>(bytes) / 1024;
    std::size_t unit = 0;
    while (amount >= 1024 && unit + 1 < kUnits.size()) {
        amount /= 1024;
        ++unit;
    }
    return fmt::format("{:.1f} {}", amount, kUnits[unit]);
}

std::string duration(std::uint64_t ns) {
    const auto amount = static_cast<double>(ns);
    if (amount < 1e3) return fmt::format("{} ns", ns);
    if (amount < 1e6) return fmt::format("{:.1f} µs", amount / 1e3);
    if (amount < 1e9) return fmt::format("{:.1f} ms", amount / 1e6);
    return fmt::format("{:.2f} s", amount / 1e9);
}

std::string counted(std::uint64_t number, std::string_view one) {
    return fmt::format("{} {}{}", grouped(number), one, number == 1 ? "" : "s");
}

std::string and_more(std::uint64_t number) {
    return number == 0 ? std::string() : fmt::format(" and {} more like it", grouped(number));
}

std::string utc_time(std::int64_t unix_ns) {
    const std::time_t seconds = unix_ns / 1'000'000'000;
    std::tm parts{};
    if (gmtime_r(&seconds, &parts) == nullptr) return fmt::format("{} ns after 1970", unix_ns);
    return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", parts);
}

} // namespace heddle::report
