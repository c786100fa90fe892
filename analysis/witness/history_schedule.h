// The second stage: the schedule that the proof for acquisition histories constructs (docs/algorithms.md,
// "Exactness"; seed 001 leaves it open). Each thread of the property runs from final acquisition to final
// acquisition, final meaning that the lock is still held in the end; it makes one only when no other has an
// acquisition left that excludes it. With nested locks and compatible histories somebody can always go on, as
// far as locks go; data and other synchronisation may still stand against it.
//
// O(steps²) at worst, as a rule O(steps × locks held in the end).
#pragma once

#include "analysis/witness/runner.h"

#include <optional>

namespace heddle {

[[nodiscard]] std::optional<Interleaving> schedule_histories(const WindowProgram& program);

} // namespace heddle
