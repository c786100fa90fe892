// The third stage: a linear order of the property's causality graph that keeps locks and values, by
// backtracking. Orders are looked at by how often they change from one strand to another, the fewest first,
// and no state is visited twice: what is found has the fewest changes that the window allows, and if nothing
// is found within the limit, the window has no such order.
//
// The clocks of the graph (UcgProjection) are added to the program beforehand: a step that must come after
// others in every schedule that reaches the property is not tried before.
#pragma once

#include "analysis/ucg.h"
#include "analysis/witness/runner.h"

#include <cstddef>

namespace heddle {

struct Linearisation {
    enum class Outcome : std::uint8_t { found, none, gave_up };
    Outcome outcome = Outcome::gave_up;
    Interleaving run; ///< when found
};

struct LinearisationLimits {
    std::size_t steps = 0;          ///< that may be tried
    std::size_t changes = SIZE_MAX; ///< from strand to strand
};

[[nodiscard]] Linearisation linearise(const WindowProgram& program, const LinearisationLimits& limits);

/// What must come before what if the property is to be reached.
void add_causality(WindowProgram& program, const UcgProjection& projection, const Property& property);

} // namespace heddle
