// Fixes for a finding: written in the source as it was analysed, tried on the recorded run
// (analysis/what_if/), and offered with what that showed.
//
// For workers: takes about as long as a few analyses of the variable. Reads sources, writes none.
#pragma once

#include "daemon/fix/draft.h"
#include "traces/progress.h"
#include "traces/trace.h"

#include <cstddef>
#include <string>
#include <vector>

namespace heddle::fix {

struct Offer {
    std::string title;            ///< "Hold 'acct->mu' here: removes this race; no new deadlock"
    std::vector<FileEdits> files; ///< at least one
    bool safe = false;            ///< removes the finding, and nothing new comes
};

/// Those for an access of a finding of the report, which is of this trace and the workspace at `root`.
/// Nothing that would not remove the finding is offered.
[[nodiscard]] std::vector<Offer> offers(const Trace& trace, const std::string& root,
                                        const report::TraceReport& report,
                                        const report::ReportedFinding& finding, std::size_t access,
                                        const Progress& progress = {});

} // namespace heddle::fix
