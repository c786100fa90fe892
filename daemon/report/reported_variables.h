// The variables that threads of a run share: where they were accessed, holding which locks, and the lock that
// seems to guard them.
#pragma once

#include "daemon/report/report.h"
#include "daemon/report/source_expressions.h"
#include "traces/trace.h"

#include <vector>

namespace heddle::report {

/// Those that the program has names for, the most used first, elements of arrays together; and members of
/// heap blocks that were allocated in one place: "acct->balance in a heap block of 16 bytes …". Not all of
/// very many.
[[nodiscard]] std::vector<ReportedVariable> reported_variables(const Trace& trace,
                                                               SourceExpressions& expressions);

} // namespace heddle::report
