// Findings as text for people and as JSON for machines (docs/command-line.md).
#pragma once

#include "analysis/analyze.h"
#include "traces/trace.h"

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace heddle::cli {

struct ReportOptions {
    bool show_refuted = false;
    bool stats = false;
    double seconds = 0; ///< that the analysis took
};

[[nodiscard]] std::string findings_text(const std::string& path, const Trace& trace, const Analysis& analysis,
                                        const ReportOptions& options);
[[nodiscard]] nlohmann::json findings_json(const std::string& path, const Trace& trace,
                                           const Analysis& analysis, const ReportOptions& options);

} // namespace heddle::cli
