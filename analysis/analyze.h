// The whole analysis of one trace, from candidates to findings: the funnel of docs/algorithms.md on one page.
#pragma once

#include "analysis/deadlocks.h"
#include "analysis/property.h"
#include "analysis/races.h"
#include "analysis/transactions.h"
#include "analysis/verdict.h"
#include "traces/trace.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

enum class FindingKind : std::uint8_t { race, atomicity, deadlock };
inline constexpr std::size_t kFindingKinds = 3;
inline constexpr std::array<std::string_view, kFindingKinds> kFindingKindNames = {"race", "atomicity",
                                                                                  "deadlock"};

/// One event of a finding, with what the thread holds when it gets there.
struct FindingAccess {
    EventId event;
    std::vector<LockUse> locks;
};

/// A bug as a person counts them.
struct Finding {
    FindingKind kind = FindingKind::race;
    Verdict verdict;
    Property property;                   ///< represents all that stand behind the finding
    std::vector<FindingAccess> accesses; ///< the property's events, in its order
    std::uint64_t count = 0;             ///< how many combinations of events stand behind it
    bool count_exact = true;             ///< false: there may be more
};

struct AnalyzeOptions {
    bool races = true;
    bool atomicity = true;
    bool deadlocks = true;
    std::vector<TransactionBlock>
        transactions; ///< blocks meant to be atomic that the trace does not mark itself
};

struct Analysis {
    std::vector<Finding> findings; ///< by kind, then by places: a stable order
    std::array<FunnelCounts, kFindingKinds> counts;
    std::size_t profiles = 0;
    std::size_t segments = 0;
    std::size_t groups = 0;
    std::vector<std::string> limits_reached;
};

[[nodiscard]] Analysis analyze(const Trace& trace, const AnalyzeOptions& options = {});

} // namespace heddle
