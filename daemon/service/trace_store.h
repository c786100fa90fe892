// What is known of every trace file: keeps a report of each, current with the file, by having workers analyse
// what changes. A file that is written anew keeps the report of the run before until the new run has ended;
// what a run shows while it goes on is told beside it.
//
// Lives on the loop; results come back to it with a generation, and those of a file that has changed
// meanwhile in a way that makes them wrong are dropped.
#pragma once

#include "daemon/report/report.h"
#include "daemon/service/analysis_job.h"
#include "daemon/service/report_cache.h"
#include "daemon/service/shared_symbols.h"
#include "daemon/service/trace_analysis.h"
#include "daemon/service/work_pool.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

namespace heddle::service {

using SharedReport = std::shared_ptr<const report::TraceReport>;

/// What happened to a file.
enum class TraceChange : std::uint8_t {
    grew,     ///< there is more of the same, or it is new
    finished, ///< the writer let go of it
    replaced, ///< there is something else under its name, or less than there was
    gone
};

class TraceStore {
  public:
    struct Listener {
        std::function<void(const std::string& path)> reports;  ///< those of the file have changed
        std::function<void(const std::string& path)> activity; ///< begun, gone on or ended
        /// The file cannot be analysed, and why; nothing when it can, or is gone.
        std::function<void(const std::string& path, const std::string& why)> problem;
    };
    /// What the store uses, and does not own.
    struct Means {
        boost::asio::io_context& loop;
        WorkPool& pool;
        ReportCache& cache;
        SharedSymbols& symbols;
    };

    TraceStore(Means means, AnalysisSettings settings, Listener listener);
    ~TraceStore();
    TraceStore(const TraceStore&) = delete;
    TraceStore& operator=(const TraceStore&) = delete;
    TraceStore(TraceStore&&) = delete;
    TraceStore& operator=(TraceStore&&) = delete;

    void file_changed(const std::string& path, TraceChange change, std::uint64_t bytes);

    /// Everything anew, also what is in the cache.
    void analyse_again();
    /// What is kept beside the trace has changed. `then` is called from the loop, once, when the reports tell
    /// of it, or that was given up.
    void look_again(const std::string& path, std::function<void()> then);
    /// From now on; what would have another report with these is analysed again.
    void use(AnalysisSettings settings);
    /// Stops what is being done; what was known before stays.
    void cancel();
    /// Forgets the reports, until the files change.
    void clear();

    /// Of the last finished run, then of the one that goes on; those that there are.
    [[nodiscard]] std::vector<SharedReport> reports(const std::string& path) const;
    [[nodiscard]] std::vector<std::string> paths() const;

    struct Activity {
        std::size_t waiting = 0; ///< files that are being analysed, or will be
        unsigned percent = 0;    ///< of all that work
        std::size_t growing = 0; ///< files of which the end of the run has not been analysed
        std::string name;        ///< of one of them
    };
    [[nodiscard]] Activity activity() const;

  private:
    struct Entry;
    using Entries = std::map<std::string, std::unique_ptr<Entry>>;

    void start(const std::string& path, Entry& entry);
    void start_later(const std::string& path, Entry& entry);
    void finished(const std::shared_ptr<AnalysisJob>& job, Result<report::TraceReport> result);
    void tell_interim(const std::shared_ptr<AnalysisJob>& job, SharedReport report);
    void abandon(Entry& entry);
    void give_back(std::unique_ptr<TraceAnalysis> analysis);
    void answer_waiting(Entry& entry);
    void tell_progress(const std::shared_ptr<AnalysisJob>& job, unsigned percent);

    Means means_;
    AnalysisSettings settings_;
    Listener listener_;
    Entries entries_;
    std::uint64_t generations_ = 0;
    /// What workers post back asks whether the store is still there.
    std::shared_ptr<TraceStore*> self_ = std::make_shared<TraceStore*>(this);
};

} // namespace heddle::service
