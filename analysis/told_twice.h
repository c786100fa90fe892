// Which findings say again what another one says, counted as a person counts bugs.
//
// A violation of what is only inferred to belong together is not told where the other access races with one
// of the two: `x++` without a lock is one bug, and that it is a race is no guess. Nor is it where a critical
// section or a marked block makes the same three places a violation, nor an update (`n--`) within a wider
// piece
// (`if (n > 0) n--`) whose violation ends in the same two places. What is refuted, or is not looked for,
// takes nothing else away.
//
// O(candidates × log).
#pragma once

#include "analysis/analyze.h"
#include "analysis/decisions.h"

#include <span>
#include <vector>

namespace heddle {

/// By candidate: whether a race, or a transaction that is more certain, says the same.
[[nodiscard]] std::vector<bool> told_by_others(std::span<const Candidate> candidates,
                                               std::span<const DecidedCandidate> decided);

/// Removes updates that lie in wider pieces.
void keep_widest(std::vector<Finding>& findings);

} // namespace heddle
