// One look of a worker at one trace file: from the cache when the file is known, otherwise by analysing it.
#pragma once

#include "daemon/report/report.h"
#include "daemon/service/report_cache.h"
#include "daemon/service/shared_symbols.h"
#include "daemon/service/trace_analysis.h"
#include "traces/progress.h"
#include "traces/result.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>

namespace heddle::service {

/// Made on the loop; then only the worker touches it until it hands it back, but for `stop` and `percent`,
/// which is the loop's.
struct AnalysisJob {
    std::string path;
    std::uint64_t generation = 0; ///< of the file's content
    std::uint64_t bytes = 0;      ///< of the file, as far as it was known
    bool ended = false;           ///< no more will come
    bool fresh = false;           ///< not from the cache
    AnalysisSettings settings;
    std::unique_ptr<TraceAnalysis> analysis; ///< what earlier looks know of a growing file
    std::stop_source stop;
    unsigned percent = 0;
};

[[nodiscard]] Result<report::TraceReport> run(AnalysisJob& job, ReportCache& cache, SharedSymbols& symbols,
                                              const Progress& progress,
                                              const TraceAnalysis::Interim& interim);

} // namespace heddle::service
