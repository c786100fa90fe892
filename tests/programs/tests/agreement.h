// Whether what was reported about a sample is what its documentation says.
#pragma once

#include "documentation.h"
#include "reported_findings.h"

namespace heddle::test {

/// Kind, pattern, variable, locks, functions and lines are those of the documentation, wildcards considered.
/// Races are the same either way round, deadlocks from whichever thread they are told.
[[nodiscard]] bool agree(const DocumentedFinding& documented, const ReportedFinding& reported);

[[nodiscard]] std::string text_of(const DocumentedFinding& finding);

} // namespace heddle::test
