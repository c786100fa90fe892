// Schedules and their stories for machines (docs/command-line.md).
#pragma once

#include "analysis/verdict.h"
#include "analysis/witness/story.h"

#include <nlohmann/json_fwd.hpp>

namespace heddle::report {

[[nodiscard]] nlohmann::json story_json(const ThreadPasts& pasts, const Story& story);

/// The whole schedule, who found it, its story, and the story's steps as the run took them.
[[nodiscard]] nlohmann::json witness_json(const ThreadPasts& pasts, const Witnessed& witness,
                                          const Story& story);

} // namespace heddle::report
