// Findings for machines (docs/command-line.md).
#pragma once

#include "analysis/analyze.h"
#include "analysis/witness/story.h"
#include "traces/trace.h"

#include <cstddef>

#include <nlohmann/json_fwd.hpp>

namespace heddle::cli {

/// Of the objects that `heddle analyze` and `heddle witness` print.
inline constexpr int kFindingsVersion = 2;

/// With its witness, told with so many steps, when it has one.
[[nodiscard]] nlohmann::json finding_json(const ThreadPasts& pasts, const Finding& finding,
                                          std::size_t number, const StoryOptions& options = {});

[[nodiscard]] nlohmann::json findings_json(const Trace& trace, const Analysis& analysis, bool show_refuted);

} // namespace heddle::cli
