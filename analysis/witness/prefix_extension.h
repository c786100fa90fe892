// The first and cheapest stage: after the window's base go on along the recorded order, but let the thread of
// one access stall where it is and leave out all that depends on it (seed 003: Shacham, Sagiv, Schuster,
// section 3.1, Fig. 8). Each thread of the property has its turn to be the one that goes first and stalls, so
// the access that a warning names may be the earlier or the later one (the paper's Fig. 7).
//
// Unlike the paper's this takes only what the property needs; and a read may see another write of the same
// value. O(steps of the window × strands) for each order of turns, of which there are at most six.
#pragma once

#include "analysis/witness/runner.h"

#include <optional>

namespace heddle {

[[nodiscard]] std::optional<Interleaving> extend_prefix(const WindowProgram& program);

} // namespace heddle
