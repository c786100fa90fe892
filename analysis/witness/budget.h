// What the search for witnesses may cost, and what it came to. All limits are counts, so that the same run
// gives the same witnesses on every machine.
#pragma once

#include "analysis/verdict.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace heddle {

struct WitnessBudget {
    std::size_t combinations = 6;            ///< of events that are tried for one finding
    std::size_t window = 10'000;             ///< events of a window
    std::size_t steps = 20'000;              ///< that backtracking takes for one combination
    std::size_t solver_window = 600;         ///< events of a window that is given to the solver
    std::uint64_t solver_effort = 2'000'000; ///< of one query, in the solver's own units
    std::size_t solver_queries = 1'000;      ///< of one analysis
};

/// How many findings of a kind each stage settled.
struct WitnessCounts {
    std::array<std::uint64_t, kWitnessStages> witnessed{};
    std::array<std::uint64_t, kWitnessStages> refuted{}; ///< by data
    std::uint64_t open = 0;                              ///< no stage did
};

} // namespace heddle
