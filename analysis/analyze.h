// The whole analysis of one trace, from candidates to findings: the funnel of docs/algorithms.md on one page.
#pragma once

#include "analysis/candidate.h"
#include "analysis/lock_profiles.h"
#include "analysis/property.h"
#include "analysis/source_blocks.h"
#include "analysis/transactions.h"
#include "analysis/verdict.h"
#include "analysis/witness/budget.h"
#include "analysis/workers.h"
#include "traces/progress.h"
#include "traces/trace.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// One event of a finding, with what the thread holds when it gets there.
struct FindingAccess {
    EventId event;
    std::vector<LockUse> locks;
};

/// A bug as a person counts them.
struct Finding {
    CandidateKey key; ///< of the candidate that represents the others
    Verdict verdict;
    Property property; ///< represents all that stand behind the finding; of a witnessed one, what it shows
    std::vector<FindingAccess> accesses; ///< the property's events, in its order
    std::uint64_t count = 0;             ///< how many combinations of events stand behind it
    bool count_exact = true;             ///< false: there may be more
    std::uint32_t variables = 1; ///< that the bug is about: the elements of an array, say (same_bug.h)
    /// When asked for: all ways to reach it, one for each combination of threads, locks held and segments of
    /// the run, as far as kAllWays goes.
    std::vector<Property> ways;
    /// Of an atomicity violation whose intent is inferred: what the source looks like.
    std::optional<Inference> inferred;

    [[nodiscard]] FindingKind kind() const { return key.kind; }
    [[nodiscard]] Intent intent() const { return intent_of(key); }
};

struct AnalyzeOptions {
    bool races = true;
    bool atomicity = true;
    bool deadlocks = true;
    std::vector<TransactionBlock>
        transactions; ///< blocks meant to be atomic that the trace does not mark itself
    /// What the source says belongs together, if anybody has read it (source_blocks.h). May grow with the
    /// run, between calls of Analyzer::extend().
    std::shared_ptr<const SourceBlocks> source;
    bool all_ways = false; ///< fill Finding::ways
    bool refuted = true;   ///< also findings that cannot happen, and why
    /// Without them: count deadlocks that a guard or the hard order rules out all the same. They are looked
    /// for apart from the others, where races and violations come along.
    bool count_refuted = false;
    bool witnesses = false; ///< look for schedules that lead to possible findings
    WitnessBudget witness_budget;
    std::size_t max_findings = 10'000; ///< of a kind; more are not looked at, and it says so
    Workers workers;
};

/// The sets of phase I of seed 001, summed over threads and variables.
struct PhaseOneSizes {
    std::size_t reads = 0;        ///< R
    std::size_t writes = 0;       ///< W
    std::size_t write_pairs = 0;  ///< WW
    std::size_t access_pairs = 0; ///< AA
    std::size_t profiles = 0;     ///< distinct, of all threads
    std::size_t locksets = 0;
};

struct Analysis {
    std::vector<Finding> findings; ///< by kind, what is inferred last, then by places: a stable order
    std::array<FunnelCounts, kFindingKinds> counts;     ///< without what is inferred
    std::array<WitnessCounts, kFindingKinds> witnesses; ///< when they were looked for
    std::size_t segments = 0;                           ///< of the hard order
    PhaseOneSizes phase_one;
    std::vector<std::string> limits_reached;
};

[[nodiscard]] Analysis analyze(const Trace& trace, const AnalyzeOptions& options = {},
                               const Progress& progress = {});

} // namespace heddle
