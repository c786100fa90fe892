// Atomicity violations that locks allow: phases I and II of seed 001 (sections 3 and 4), one representative
// for each pair of threads, variable, pattern and pair of lock profiles.
//
// Never drops a feasible violation: for each there is a kept candidate with the same threads, variable and
// pattern. For nested threads in a run whose only synchronisation is locks a kept candidate is feasible, too,
// also where deadlocks are possible (the paper's Lemma 2 is not: see lock_futures.h). Everything else that
// synchronises is for later stages.
//
// Phase I: see phase_one.h; a second pass over the run when threads disagree about the order of
// locks. Phase II: per variable, witnesses of one thread times those of the others, through memoised tables.
#pragma once

#include "analysis/phase_one.h"
#include "analysis/property.h"

#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

/// What says that a violation cannot happen. Ordered: the later, the closer it came.
enum class AtomicityRefuter : std::uint8_t {
    lockset,    ///< wherever the transaction stands, both threads would hold one lock
    history,    ///< one thread would have had to acquire a lock that the other held already
    completion, ///< the state is possible, but the transaction can never go on to its second access
    nothing,    ///< kept
};

/// max_kept: representatives for two threads, one variable and one pattern: enough to tell that there is a
/// violation, and a few more for later stages that know of other synchronisation.
struct AtomicityLimits {
    std::size_t max_kept = 8;
    std::size_t max_compared = 20'000;   ///< witnesses of two threads and one variable; then kept, not exact
    std::size_t max_places = kMaxPlaces; ///< see transaction_pairs.h
};

struct AtomicityCandidate {
    AtomicityViolation violation;
    VarId variable;
    ProfileId transaction_profile; ///< where the transaction stands when the remote access happens
    ProfileId remote_profile;
    AtomicityRefuter refuted_by = AtomicityRefuter::nothing;
    bool exact = false; ///< both threads are nested and no history was cut short

    [[nodiscard]] bool kept() const { return refuted_by == AtomicityRefuter::nothing; }
};

struct AtomicityStatistics {
    std::size_t reads = 0;        ///< witnesses in R, over all threads and variables
    std::size_t writes = 0;       ///< in W
    std::size_t write_pairs = 0;  ///< in WW
    std::size_t access_pairs = 0; ///< in AA
    std::size_t profiles = 0;
    std::size_t locksets = 0;
    std::size_t compared = 0; ///< pairs of witnesses in phase II
    std::size_t refuted_by_lockset = 0;
    std::size_t refuted_by_history = 0;
    std::size_t refuted_by_completion = 0;
    std::size_t places_not_compared = 0; ///< with all accesses of another thread, because a limit was reached
    bool may_block = false;              ///< deadlocks may be possible: futures were compared
};

struct AtomicityResult {
    /// The kept representatives, at most max_kept of each; for threads, variable and pattern with none, the
    /// refuted one that came closest.
    std::vector<AtomicityCandidate> candidates;
    AtomicityStatistics statistics;
};

/// `given`: transactions known from elsewhere, besides critical sections and marked blocks.
[[nodiscard]] AtomicityResult find_atomicity_violations(const Trace& trace,
                                                        std::span<const TransactionBlock> given = {},
                                                        const AtomicityLimits& limits = {});

/// Phase II alone.
[[nodiscard]] AtomicityResult compare(PhaseOne& witnesses, const AtomicityLimits& limits = {});

} // namespace heddle
