// A bug that may be there: what the cheap filters left of the ways to reach it, waiting for a verdict.
#pragma once

#include "analysis/property.h"
#include "analysis/verdict.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace heddle {

enum class FindingKind : std::uint8_t { race, atomicity, deadlock };
inline constexpr std::size_t kFindingKinds = 3;
inline constexpr std::array<std::string_view, kFindingKinds> kFindingKindNames = {"race", "atomicity",
                                                                                  "deadlock"};

/// How many ways to reach one candidate are kept, and how many of them the causality graph is asked about. A
/// way stands for all combinations of accesses that behave alike in the cheap filters.
struct WayLimits {
    std::size_t kept = 32;
    std::size_t tried = 16;
};
inline constexpr WayLimits kAllWays = {10'000, 10'000}; ///< when all are asked for

/// How many candidates of a kind one variable may have, and how many comparisons they may cost together. What
/// is beyond is left out, which is said.
inline constexpr std::size_t kMaxCandidates = 100'000;
inline constexpr std::size_t kMaxComparisons = std::size_t{64} << 20U;

/// What tells candidates apart, as a person counts bugs: a variable and two places, a variable and three
/// places, or a cycle of places (of the locks asked for, if the trace has no places). See also Intent.
struct CandidateKey {
    FindingKind kind = FindingKind::race;
    std::vector<std::uint32_t> parts;

    // NOLINTNEXTLINE(modernize-use-nullptr): as in traces/id.h
    auto operator<=>(const CandidateKey&) const = default;
};

/// What makes two accesses a transaction, from what is certain to what is a guess.
enum class Intent : std::uint8_t {
    recorded, ///< a critical section, or a block that the run marks
    marked,   ///< somebody wrote it into the source
    inferred, ///< the source looks like it
};
inline constexpr std::array<std::string_view, 3> kIntentNames = {"recorded", "marked", "inferred"};

/// Atomicity violations of another intent have it as a fifth part.
inline constexpr std::size_t kIntentPart = 4;
[[nodiscard]] inline Intent intent_of(const CandidateKey& key) {
    const bool told = key.kind == FindingKind::atomicity && key.parts.size() > kIntentPart;
    return told ? static_cast<Intent>(key.parts[kIntentPart]) : Intent::recorded;
}

struct Candidate {
    CandidateKey key;
    Property representative;       ///< one way, even if it is refuted
    std::vector<Property> samples; ///< ways that no cheap filter rules out, not all of them if there are many
    bool ways = false; ///< there are some; of races and atomicity violations CandidateSearch tells which
    std::uint32_t entry = 0; ///< where it does
    bool more = false;       ///< there are, or may be, ways that were not kept
    std::uint64_t count = 0; ///< combinations of events that no cheap filter rules out
    bool count_exact = true; ///< false: there may be more
    Refuted refuted;         ///< the most exact of the cheap refutations; the verdict if there are no samples
};

/// How many candidates were left by each filter alone and by all together: the columns of the papers' tables.
struct FunnelCounts {
    std::uint64_t total = 0;
    std::uint64_t lock_analysis = 0; ///< left by locksets and acquisition histories alone
    std::uint64_t hard_order = 0;    ///< left by the hard order alone
    std::uint64_t causality = 0;     ///< left by all together

    FunnelCounts& operator+=(const FunnelCounts& more) {
        total += more.total;
        lock_analysis += more.lock_analysis;
        hard_order += more.hard_order;
        causality += more.causality;
        return *this;
    }
};

/// The candidates of one kind that one variable has.
struct CandidateNumbers {
    FunnelCounts counts;
    std::size_t open = 0; ///< with ways, or with comparisons that were not made: worth looking at
};

} // namespace heddle
