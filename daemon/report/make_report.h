// From a trace and its analysis to what there is to tell of them.
#pragma once

#include "analysis/analyze.h"
#include "daemon/report/report.h"
#include "daemon/report/source_expressions.h"
#include "traces/trace.h"

#include <cstddef>
#include <string>

namespace heddle::report {

/// At most `max_findings`, those with witnesses first. `complete`, `notes` of the file are the caller's to
/// add.
[[nodiscard]] TraceReport make_report(const Trace& trace, const Analysis& analysis, std::size_t max_findings,
                                      SourceExpressions& expressions);

/// Tells the findings of one run apart, whatever their sources look like and wherever these are by now.
[[nodiscard]] std::string recorded_key(const Trace& trace, const Finding& finding);

} // namespace heddle::report
