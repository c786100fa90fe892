// Names by which a finding is known again in another run of a source that has changed elsewhere.
#pragma once

#include "analysis/analyze.h"
#include "traces/trace.h"

#include <string>
#include <vector>

namespace heddle::report {

/// By finding, 16 hexadecimal digits: made of the kind, the variable or locks, operations and functions with
/// their files, not of lines. Findings that have all of that in common are numbered.
[[nodiscard]] std::vector<std::string> fingerprints(const Trace& trace, const Analysis& analysis);

} // namespace heddle::report
