// Schedules and their stories for machines (docs/command-line.md).
#pragma once

#include "analysis/verdict.h"
#include "analysis/witness/story.h"
#include "traces/trace.h"

#include <nlohmann/json_fwd.hpp>

namespace heddle::report {

[[nodiscard]] nlohmann::json story_json(const Trace& trace, const Story& story);

/// The whole schedule, who found it, and its story.
[[nodiscard]] nlohmann::json witness_json(const Trace& trace, const Witnessed& witness, const Story& story);

} // namespace heddle::report
