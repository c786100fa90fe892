// From a trace and its analysis to what there is to tell of them.
#pragma once

#include "analysis/analyze.h"
#include "daemon/report/report.h"
#include "traces/trace.h"

#include <cstddef>

namespace heddle::report {

/// At most `max_findings`, those with witnesses first. `complete`, `notes` of the file are the caller's to
/// add.
[[nodiscard]] TraceReport make_report(const Trace& trace, const Analysis& analysis, std::size_t max_findings);

} // namespace heddle::report
