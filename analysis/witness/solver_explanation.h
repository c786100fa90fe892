// For the solver: why data rules a property out, in terms of the source.
#pragma once

#include "analysis/witness/solver_window.h"

#include <span>
#include <string>

namespace heddle::solver {

/// One sentence about reads that cannot all see what they saw if the property is to be reached; without a
/// full stop. With no reads: about synchronisation.
[[nodiscard]] std::string explain(SolverWindow& window, std::span<const EventId> reads);

} // namespace heddle::solver
