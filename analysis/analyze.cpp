#include "analysis/analyze.h"

#include "analysis/analyzer.h"

#include <utility>

namespace heddle {

Analysis analyze(const Trace& trace, const AnalyzeOptions& options, const Progress& progress) {
    Analyzer analyzer(options);
    analyzer.extend(trace, progress);
    return std::move(analyzer).analysis();
}

} // namespace heddle
