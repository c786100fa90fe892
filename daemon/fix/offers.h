// Fixes for a finding: written in the source as it was analysed, tried on the recorded run
// (analysis/what_if/), and offered with what that showed.
//
// For workers: takes about as long as an analysis of the variable. Touches no file.
#pragma once

#include "analysis/source/hold_lock.h"
#include "daemon/report/report.h"
#include "traces/progress.h"
#include "traces/trace.h"

#include <cstddef>
#include <string>
#include <vector>

namespace heddle::fix {

struct Offer {
    std::string title;                    ///< "Hold 'acct->mu' here: removes this race; no new deadlock"
    std::vector<source::Insertion> edits; ///< of the version of the place's file that the report counts in
    bool safe = false;                    ///< removes the finding, and nothing new comes
};

/// Those for an access of a finding of the report, which is of this trace. Nothing that would not remove the
/// finding is offered.
[[nodiscard]] std::vector<Offer> offers(const Trace& trace, const report::TraceReport& report,
                                        const report::ReportedFinding& finding, std::size_t access,
                                        const Progress& progress = {});

} // namespace heddle::fix
