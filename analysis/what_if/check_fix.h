// Tries a fix on the recorded run before it is offered: is the finding gone, and does anything new come
// (docs/algorithms.md, "Fixes are tried first")?
//
// Synchronisation alone is looked at, as for possible findings: what a check says is gone, no schedule of the
// changed run reaches; what it calls new, a schedule may reach. Costs an analysis of the variables that the
// change touches, two if anything of interest is left.
#pragma once

#include "analysis/analyze.h"
#include "analysis/what_if/change.h"
#include "traces/result.h"

#include <array>
#include <cstddef>
#include <vector>

namespace heddle {

struct FixCheck {
    /// The finding is gone, and so are all with the same places on the variables that were asked about.
    bool removed = false;
    std::array<std::size_t, kFindingKinds> fresh{}; ///< findings that the recorded run does not have
    bool complete = true; ///< false: a limit was reached, so there may be more that is new

    [[nodiscard]] bool safe() const;
};

/// `finding`: of a race or an atomicity violation, its events in the recorded run, as Finding::property has
/// them. An error says why the change cannot be made.
[[nodiscard]] Result<FixCheck> check_fix(const Trace& trace, const Property& finding, const Change& change,
                                         const Progress& progress = {});

/// The variables whose findings a change can concern: those that are accessed in its spans, are made atomic,
/// or that the finding is about. Ascending.
[[nodiscard]] std::vector<VarId> touched_variables(const Trace& trace, const Property& finding,
                                                   const Change& change);

} // namespace heddle
