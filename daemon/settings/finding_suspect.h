// What suppressions are asked about, from what the analysis found.
#pragma once

#include "analysis/analyze.h"
#include "daemon/settings/suppressions.h"
#include "traces/trace.h"

namespace heddle::settings {

/// Refers to the strings of the trace, which must outlive it.
[[nodiscard]] Suspect suspect_of(const Trace& trace, const Finding& finding);

} // namespace heddle::settings
