// Makes an interleaving short: few changes from one strand to another, then few steps. Threads that the
// violation does not need are left out, and of the others what comes after the last thing that is needed;
// what is left is put into the order with the fewest changes that a bounded search finds.
#pragma once

#include "analysis/witness/runner.h"

#include <cstddef>

namespace heddle {

/// The interleaving must reach the property of the program. `steps`: that the search may try.
[[nodiscard]] Interleaving minimise(const WindowProgram& program, Interleaving interleaving,
                                    std::size_t steps);

/// Whether all steps can be taken and the property is reached.
[[nodiscard]] bool reaches(const WindowProgram& program, const Interleaving& interleaving);

/// How often two consecutive steps are of different strands.
[[nodiscard]] std::size_t changes_in(const Interleaving& interleaving);

} // namespace heddle
