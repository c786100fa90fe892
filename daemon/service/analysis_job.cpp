#include "daemon/service/analysis_job.h"

#include "daemon/cli/budget.h"
#include "daemon/replay/results.h"
#include "daemon/service/source_versions.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <utility>

#include <fmt/format.h>
#include <malloc.h>

namespace heddle::service {

namespace {

constexpr std::uint64_t kMostHashed = std::uint64_t{8} << 30U; ///< bytes; more is analysed anew at each start

/// Empty when the file cannot be read (the analysis will say why), or is very large. Nor is it
/// read for a job that is not wanted any more.
std::string key_of(const AnalysisJob& job) {
    if (job.bytes > kMostHashed) return {};
    return ReportCache::key_of(job.path, job.settings.key(), job.stop.get_token()).value_or(std::string());
}

/// Here and not on the loop: it takes its time for a large trace. The allocator would keep most of it.
void give_back_memory(AnalysisJob& job) {
    job.analysis.reset();
    malloc_trim(0);
}

/// Progress is told thousands of times a second, and the system is slow to tell how much memory there is.
class Seldom {
  public:
    /// True once in a while; any thread may ask.
    bool again() {
        const std::int64_t now = std::chrono::steady_clock::now().time_since_epoch().count();
        std::int64_t next = next_.load(std::memory_order_relaxed);
        return now >= next && next_.compare_exchange_strong(next, now + kInterval.count());
    }

  private:
    static constexpr std::chrono::nanoseconds kInterval = std::chrono::milliseconds(20);
    std::atomic<std::int64_t> next_ = 0;
};

Result<report::TraceReport> look(AnalysisJob& job, ReportCache& cache, SharedSymbols& symbols,
                                 const Progress& progress, const TraceAnalysis::Interim& interim) {
    const std::string key = job.ended && job.settings.cache ? key_of(job) : std::string();
    SourceVersions sources(job.settings.root, cache, *job.settings.memo, job.settings.cache);
    if (!key.empty()) {
        if (auto kept = cache.find(key)) {
            sources.restore(*kept);
            if (!job.fresh) return std::move(*kept);
        }
    }
    if (!job.analysis) job.analysis = std::make_unique<TraceAnalysis>(job.path, job.settings, symbols);
    std::atomic<bool> full = false;
    Seldom seldom;
    const Progress within_memory = [&](std::uint64_t done, std::uint64_t total) {
        if (!full && seldom.again() && cli::resident_mebibytes() > job.settings.memory_limit_mib) full = true;
        return progress(done, total) && !full;
    };
    // What is shown meanwhile follows edits as well. Told by another thread, but never while this one has a
    // report.
    const TraceAnalysis::Interim with_sources = [&](report::TraceReport report) {
        sources.add_to(report);
        interim(std::move(report));
    };
    auto report =
        job.analysis->advance(job.ended, within_memory, interim ? with_sources : TraceAnalysis::Interim());
    if (report) sources.add_to(*report);
    if (job.ended || job.stop.stop_requested()) give_back_memory(job);
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

} // namespace

Result<report::TraceReport> run(AnalysisJob& job, ReportCache& cache, SharedSymbols& symbols,
                                const Progress& progress, const TraceAnalysis::Interim& interim) {
    auto report = look(job, cache, symbols, progress, interim);
    if (report) replay::mark_confirmed(job.path, *report);
    return report;
}

} // namespace heddle::service
