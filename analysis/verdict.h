// What an analysis knows of a candidate. "Not known" is a third answer, never "no" and never "yes".
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace heddle {

/// The filters of the funnel, cheap to exact.
enum class Filter : std::uint8_t { lockset, hard_order, acquisition_history, causality_graph };
inline constexpr std::size_t kFilters = 4;
inline constexpr std::array<std::string_view, kFilters> kFilterNames = {
    "lockset", "hard order", "acquisition history", "causality graph"};

/// A statically feasible schedule may lead there: no filter rules it out.
struct Possible {
    bool operator==(const Possible&) const = default;
};
struct Refuted {
    Filter by = Filter::lockset;
    std::string why;
    bool operator==(const Refuted&) const = default;
};
struct Undecided {
    std::string why; ///< a limit that was reached
    bool operator==(const Undecided&) const = default;
};
using Verdict = std::variant<Possible, Refuted, Undecided>;

} // namespace heddle
