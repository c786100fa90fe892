// The source texts that the places of a report count in: read when the run is analysed, kept by their
// content, and found again with the report, however the files have changed by then.
//
// For workers: reads files. One report, or several of the same run, at a time.
#pragma once

#include "daemon/report/report.h"
#include "daemon/report/source_memo.h"
#include "daemon/service/report_cache.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::service {

/// Whether a file was written after a moment of Unix time.
[[nodiscard]] bool changed_after(const std::string& path, std::int64_t unix_ns);

class SourceVersions {
  public:
    /// Of the workspace's own files only. `on_disk`: keep texts for the next start.
    SourceVersions(std::string root, ReportCache& cache, report::SourceMemo& memo, bool on_disk)
        : root_(std::move(root)), cache_(cache), memo_(memo), on_disk_(on_disk) {}

    /// Gives a report that was kept its texts back, as far as they are there. They count for what is made of
    /// the same run from now on.
    void restore(report::TraceReport& kept);
    /// The versions that a new report counts in: those known of the run, otherwise the files as they are.
    void add_to(report::TraceReport& report);

  private:
    [[nodiscard]] std::string absolute(const std::string& file) const;
    [[nodiscard]] report::SourceVersion read(const std::string& file, const report::TraceReport& report);

    std::string root_;
    ReportCache& cache_;
    report::SourceMemo& memo_;
    bool on_disk_;
    std::vector<report::SourceVersion> known_;
};

} // namespace heddle::service
