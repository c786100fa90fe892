#include "daemon/service/analysis_job.h"

#include "daemon/cli/budget.h"

#include <atomic>
#include <utility>

#include <fmt/format.h>
#include <malloc.h>

namespace heddle::service {

namespace {

/// Empty when the file cannot be read: the analysis will say why.
std::string key_of(const AnalysisJob& job) {
    return ReportCache::key_of(job.path, job.settings.key()).value_or(std::string());
}

/// Here and not on the loop: it takes its time for a large trace. The allocator would keep most of it.
void give_back_memory(AnalysisJob& job) {
    job.analysis.reset();
    malloc_trim(0);
}

} // namespace

Result<report::TraceReport> run(AnalysisJob& job, ReportCache& cache, SharedSymbols& symbols,
                                const Progress& progress, const TraceAnalysis::Interim& interim) {
    const std::string key = job.ended && job.settings.cache ? key_of(job) : std::string();
    if (!key.empty() && !job.fresh) {
        if (auto kept = cache.find(key)) return std::move(*kept);
    }
    if (!job.analysis) job.analysis = std::make_unique<TraceAnalysis>(job.path, job.settings, symbols);
    std::atomic<bool> full = false;
    const Progress within_memory = [&](std::uint64_t done, std::uint64_t total) {
        if (!full && cli::resident_mebibytes() > job.settings.memory_limit_mib) full = true;
        return progress(done, total) && !full;
    };
    auto report = job.analysis->advance(job.ended, within_memory, interim);
    if (job.ended) give_back_memory(job);
    if (report && full) {
        report->notes.push_back(fmt::format("the analysis stopped at {} MiB of memory (heddle.memoryLimit)",
                                            job.settings.memory_limit_mib));
        return report;
    }
    if (!report || job.stop.stop_requested() || !job.settings.cache) return report;
    // Not kept: reports of a part, and of a file that went on while it was read.
    const std::string now = job.ended || report->complete ? key_of(job) : std::string();
    if (!now.empty() && (key.empty() || now == key)) cache.keep(now, *report);
    return report;
}

} // namespace heddle::service
