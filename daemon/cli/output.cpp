#include "daemon/cli/output.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <system_error>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace heddle::cli {

namespace {
constexpr std::size_t kPiece = std::size_t{256} << 10U;
}

Output::~Output() {
    flush();
}

void Output::put(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= kPiece) flush();
}

void Output::flush() {
    if (std::fwrite(buffer_.data(), 1, buffer_.size(), stdout) != buffer_.size()) failed_ = true;
    buffer_.clear();
}

bool Output::finish() {
    flush();
    if (std::fflush(stdout) != 0) failed_ = true;
    if (failed_) print_error(fmt::format("standard output: {}", std::generic_category().message(errno)));
    return !failed_;
}

void print_error(std::string_view message) {
    fmt::print(stderr, "heddle: {}\n", message);
}

void print_notes(const std::vector<std::string>& notes) {
    for (const std::string& note : notes) fmt::print(stderr, "heddle: note: {}\n", note);
}

void print_damage(const DamageLog& damage) {
    for (const Damage& one : damage.kept()) fmt::print(stderr, "{}\n", one.text());
    const std::uint64_t more = damage.total() - damage.kept().size();
    if (more > 0) fmt::print(stderr, "… and {} more\n", grouped(more));
}

std::string_view damage_kind_name(DamageKind kind) {
    switch (kind) {
    case DamageKind::syntax: return "syntax";
    case DamageKind::corrupt: return "corrupt";
    case DamageKind::incomplete: return "incomplete";
    case DamageKind::rule: return "rule";
    case DamageKind::limit: return "limit";
    }
    return "";
}

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

std::string utc_time(std::int64_t unix_ns) {
    const std::time_t seconds = unix_ns / 1'000'000'000;
    std::tm parts{};
    if (gmtime_r(&seconds, &parts) == nullptr) return fmt::format("{} ns after 1970", unix_ns);
    return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", parts);
}

} // namespace heddle::cli
