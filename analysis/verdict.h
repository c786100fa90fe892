// What an analysis knows of a candidate. "Not known" is a third answer, never "no" and never "yes".
#pragma once

#include "analysis/witness/schedule.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace heddle {

/// What rules candidates out, cheap to exact. All but the last look at synchronisation alone.
enum class Filter : std::uint8_t { lockset, hard_order, acquisition_history, causality_graph, data };
inline constexpr std::size_t kFilters = 5;
inline constexpr std::array<std::string_view, kFilters> kFilterNames = {
    "lockset", "hard order", "acquisition history", "causality graph", "data"};

/// Who found a witness or showed that there is none, cheap to dear.
enum class WitnessStage : std::uint8_t {
    data_order,
    prefix_extension,
    history_schedule,
    linearisation,
    solver
};
inline constexpr std::size_t kWitnessStages = 5;
inline constexpr std::array<std::string_view, kWitnessStages> kWitnessStageNames = {
    "data order", "prefix extension", "history schedule", "linearisation", "solver"};

/// A statically feasible schedule may lead there: no filter rules it out.
struct Possible {
    std::string unwitnessed; ///< why no witness was found; empty when none was looked for
    bool operator==(const Possible&) const = default;
};
/// This schedule leads there, whatever program made the run: the checker (witness/checker.h) says so.
struct Witnessed {
    Schedule schedule;
    WitnessStage by = WitnessStage::prefix_extension;
    bool confirmed = false; ///< the program took the schedule and was there; no analysis says so
    bool operator==(const Witnessed&) const = default;
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
using Verdict = std::variant<Possible, Witnessed, Refuted, Undecided>;

} // namespace heddle
