// Names from the source for memory that debug information has none for: what `session->last_seen` is on the
// heap is no longer "heap block of 64 bytes … + 24".
#pragma once

#include "analysis/analyze.h"
#include "daemon/report/source_expressions.h"
#include "traces/trace.h"

#include <vector>

namespace heddle::report {

/// The trace with names for the variables and locks of these findings. A name is given only where every
/// access of the finding, or every place where the lock was taken, is an expression that ends in it.
[[nodiscard]] Trace with_source_names(const Trace& trace, const std::vector<const Finding*>& findings,
                                      SourceExpressions& expressions);

} // namespace heddle::report
