// What the analyses need to know of the accesses in a trace: for each variable that threads contend for, who
// accesses it where, how, holding what, and between which of the thread's synchronisations. Repetitions count
// once.
#pragma once

#include "traces/trace.h"

#include <set>
#include <string>
#include <vector>

namespace heddle::test {

/// By variable: whether more than one thread accesses it.
[[nodiscard]] std::vector<bool> shared_variables(const Trace& trace);

/// By variable: whether two threads access it in an order that forks and joins leave open. What they order,
/// no schedule changes: to such variables nothing can happen that did not happen.
[[nodiscard]] std::vector<bool> contended_variables(const Trace& trace);

/// One text per class: "T1 w4 counts+8 at program+0x1234 holding {locks+40} after 17 synchronisations".
/// `program` is the executable, for the names of its variables.
[[nodiscard]] std::set<std::string> access_classes(const Trace& trace, const std::string& program);

} // namespace heddle::test
