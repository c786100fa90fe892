// Findings for machines (docs/command-line.md).
#pragma once

#include "analysis/analyze.h"
#include "analysis/witness/story.h"
#include "daemon/report/source_expressions.h"
#include "daemon/report/suppressed.h"
#include "traces/trace.h"

#include <cstddef>

#include <nlohmann/json_fwd.hpp>

namespace heddle::report {

/// Of the objects that `heddle analyze` and `heddle witness` print.
inline constexpr int kFindingsVersion = 3;

/// With its witness, told with so many steps, when it has one.
[[nodiscard]] nlohmann::json finding_json(const ThreadPasts& pasts, const Finding& finding,
                                          std::size_t number, const StoryOptions& options = {});

struct JsonOptions {
    bool show_refuted = false;
    Suppressed suppressed; ///< these are left out, unless they are to be shown
    bool show_suppressed = false;
    SourceExpressions* expressions = nullptr; ///< null: accesses are told without
};

[[nodiscard]] nlohmann::json findings_json(const Trace& trace, const Analysis& analysis,
                                           const JsonOptions& options);

} // namespace heddle::report
