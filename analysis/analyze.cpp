#include "analysis/analyze.h"

#include "analysis/analyzer.h"

namespace heddle {

Analysis analyze(const Trace& trace, const AnalyzeOptions& options, const Progress& progress) {
    Analyzer analyzer(options);
    return analyzer.extend(trace, progress);
}

} // namespace heddle
