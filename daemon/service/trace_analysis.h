// The analysis of one trace file, which may be growing: each call takes what has come since the last.
//
// One thread at a time. Reads files; knows nothing of who asks.
#pragma once

#include "analysis/analyzer.h"
#include "daemon/report/report.h"
#include "daemon/report/source_memo.h"
#include "daemon/report/source_transactions.h"
#include "daemon/service/shared_symbols.h"
#include "daemon/settings/settings.h"
#include "traces/htr/reader.h"
#include "traces/progress.h"
#include "traces/result.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace heddle::service {

struct AnalysisSettings {
    AnalyzeOptions options;
    std::string root;                                 ///< of the workspace: relative paths begin there
    std::vector<settings::PathMapping> path_mappings; ///< with absolute `to`
    std::size_t max_findings = 500;                   ///< told of one trace
    bool cache = true;                                ///< look for earlier reports, and keep new ones
    bool infer = true;                                ///< transactions from what the source looks like
    std::uint64_t memory_limit_mib = 2048; ///< of the daemon: an analysis that goes beyond it stops

    /// What sources have shown, for as long as these settings hold.
    std::shared_ptr<report::SourceMemo> memo = std::make_shared<report::SourceMemo>();

    /// What tells reports of the same trace apart.
    [[nodiscard]] std::string key() const;
};

class TraceAnalysis {
  public:
    TraceAnalysis(std::string path, AnalysisSettings settings, SharedSymbols& symbols);

    /// Told while the search for witnesses, or the reading of sources, takes its time: what is known.
    using Interim = std::function<void(report::TraceReport)>;

    /// What there is to tell of all that is in the file now. `last`: no more will come, so what is missing is
    /// said. Progress is in parts of 1,000; told to stop, the report is of what was looked at by then.
    [[nodiscard]] Result<report::TraceReport> advance(bool last, const Progress& progress,
                                                      const Interim& interim);

  private:
    struct Run {
        Trace trace;
        DamageLog damage;
        bool complete = false; ///< the recording was finished
        bool whole = true;     ///< as it is in the file: nothing had to be left out of it
    };
    [[nodiscard]] Result<Run> take(bool last, const Progress& progress);
    [[nodiscard]] Result<Run> take_live(bool last, const Progress& progress);
    [[nodiscard]] Result<htr::Reader::State> read_more();
    /// Somebody who has seen nothing since.
    struct Waiting {
        const Interim& interim;
        std::chrono::steady_clock::time_point since;
    };
    bool analyse(const Trace& trace, const Waiting& waiting, const Progress& progress);
    void read_sources(const Trace& trace);
    /// Reading and parsing many sources may take longer than the analysis: then who waits is told the report
    /// without their expressions meanwhile.
    [[nodiscard]] report::TraceReport report_of(const Trace& trace, const Analysis& analysis,
                                                const Waiting& waiting) const;
    [[nodiscard]] report::TraceReport quick_report_of(const Trace& trace, const Analysis& analysis) const;

    std::string path_;
    AnalysisSettings settings_;
    SharedSymbols& symbols_;
    Progress reading_;                                    ///< of the call that is under way
    std::unique_ptr<htr::Reader> reader_;                 ///< of a native file
    std::unique_ptr<Analyzer> analyzer_;                  ///< what it knows of the events taken so far
    std::unique_ptr<report::SourceTransactions> sources_; ///< null: none was read yet
    bool sources_used_ = false;                           ///< the analyzer knows of them
};

} // namespace heddle::service
