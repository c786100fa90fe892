#include "analysis/atomicity.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <tuple>

namespace heddle {

namespace {

/// An access that could come between those of another thread: an element of R or W.
struct RemoteWitness {
    VarId variable;
    ThreadId thread;
    ProfileId profile;
    FutureId future;
    EventId event;
    ByteRange bytes;
    bool writes = false;
};

/// An element of AA, and of WW if both write.
struct TransactionWitness {
    VarId variable;
    ThreadId thread;
    ProfileId profile;
    FutureId future;
    EventId first;
    EventId second;
    ByteRange first_bytes;
    ByteRange second_bytes;
    bool first_writes = false;
    bool second_writes = false;
    bool exact = true;
};

std::vector<RemoteWitness> remote_witnesses(const PhaseOne& accesses) {
    std::vector<RemoteWitness> result;
    for (const PhaseOne::Sets* sets : accesses.sets()) {
        for (std::size_t i = 0; i < sets->cells.size(); ++i) {
            const AccessCell& cell = sets->cells[CellId{i}];
            result.push_back({cell.variable, cell.shape.thread(), cell.profile, cell.future, cell.first,
                              cell.shape.bytes(), cell.shape.writes()});
        }
    }
    return result;
}

std::vector<TransactionWitness> transaction_witnesses(const PhaseOne& accesses) {
    std::vector<TransactionWitness> result;
    for (const PhaseOne::Sets* sets : accesses.sets()) {
        for (std::size_t i = 0; i < sets->pairs.all().size(); ++i) {
            const TransactionPair& pair = sets->pairs.all()[i];
            const AccessCell& first = sets->cells[pair.first_cell];
            const AccessShape second = sets->cells[pair.second_cell].shape;
            result.push_back({first.variable, first.shape.thread(), pair.profile, pair.future, pair.first,
                              pair.second, first.shape.bytes(), second.bytes(), first.shape.writes(),
                              second.writes(), pair.exact});
        }
    }
    return result;
}

std::uint32_t mask_of(ByteRange bytes) {
    return ((1U << bytes.size) - 1U) << bytes.offset;
}

/// Compares the witnesses of one variable at a time.
class Comparison {
  public:
    Comparison(PhaseOne& witnesses, const AtomicityLimits& limits)
        : witnesses_(witnesses), max_kept_(limits.max_kept), max_compared_(limits.max_compared) {}

    AtomicityResult run() {
        std::vector<RemoteWitness> remote = remote_witnesses(witnesses_);
        std::vector<TransactionWitness> transactional = transaction_witnesses(witnesses_);
        const auto by_variable = [](const auto& one) { return std::tuple(one.variable, one.thread); };
        std::ranges::stable_sort(remote, {}, by_variable);
        std::ranges::stable_sort(transactional, {}, by_variable);
        count(remote, transactional);
        auto other = remote.begin();
        for (auto at = transactional.begin(); at != transactional.end();) {
            const auto end = std::find_if(at, transactional.end(), [&](const auto& one) {
                return by_variable(one) != by_variable(*at);
            });
            other = std::lower_bound(
                other, remote.end(), at->variable,
                [](const RemoteWitness& one, VarId variable) { return one.variable < variable; });
            const auto other_end = std::find_if(
                other, remote.end(), [&](const RemoteWitness& one) { return one.variable != at->variable; });
            compare({at, end}, {other, other_end});
            at = end;
        }
        return std::move(result_);
    }

  private:
    /// Candidates of two threads, one variable and one pattern.
    struct Group {
        std::size_t kept = 0;
        std::optional<AtomicityCandidate> closest; ///< of the refuted ones
        bool undecided = false;                    ///< not all were compared
    };
    static constexpr std::size_t kFewPairs = 64; ///< not worth a look at what all have in common

    using Groups = std::array<Group, 5>; ///< by pattern

    void count(const std::vector<RemoteWitness>& remote,
               const std::vector<TransactionWitness>& transactional) {
        AtomicityStatistics& statistics = result_.statistics;
        for (const RemoteWitness& one : remote) ++(one.writes ? statistics.writes : statistics.reads);
        statistics.access_pairs = transactional.size();
        statistics.write_pairs = static_cast<std::size_t>(std::ranges::count_if(
            transactional, [](const auto& one) { return one.first_writes && one.second_writes; }));
        statistics.profiles = witnesses_.profiles().size();
        statistics.locksets = witnesses_.profiles().lockset_count();
    }

    /// What one thread and all others do to one variable.
    void compare(std::span<const TransactionWitness> transactional, std::span<const RemoteWitness> remote) {
        for (auto at = remote.begin(); at != remote.end();) {
            const auto end =
                std::find_if(at, remote.end(), [&](const auto& one) { return one.thread != at->thread; });
            if (at->thread != transactional.front().thread) compare_threads(transactional, {at, end});
            at = end;
        }
    }

    void compare_threads(std::span<const TransactionWitness> transactional,
                         std::span<const RemoteWitness> remote) {
        std::array<std::uint32_t, 2> touched{}; // bytes, by whether the remote access writes
        for (const RemoteWitness& other : remote) touched[other.writes ? 1 : 0] |= mask_of(other.bytes);
        const bool guarded = always_excluded(transactional, remote);
        Groups groups;
        std::size_t budget = max_compared_;
        for (const TransactionWitness& one : transactional) {
            for (const bool remote_writes : {false, true}) {
                const auto pattern = atomicity_pattern(one.first_writes, remote_writes, one.second_writes);
                const std::uint32_t bytes = touched[remote_writes ? 1 : 0];
                if (!pattern || (bytes & mask_of(one.first_bytes)) == 0 ||
                    (bytes & mask_of(one.second_bytes)) == 0) {
                    continue;
                }
                Group& group = groups[static_cast<std::size_t>(*pattern)];
                compare_place(one, remote, *pattern, guarded, budget, group);
            }
        }
        for (Group& group : groups) {
            if (group.kept != 0 || !group.closest) continue;
            if (group.undecided) {
                group.closest->refuted_by = AtomicityRefuter::nothing;
                group.closest->exact = false;
            }
            result_.candidates.push_back(*group.closest);
        }
    }

    /// `guarded`: all are known to be excluded by locksets, one is enough.
    void compare_place(const TransactionWitness& one, std::span<const RemoteWitness> remote,
                       AtomicityPattern pattern, bool guarded, std::size_t& budget, Group& group) {
        const bool remote_writes = pattern != AtomicityPattern::wrw;
        for (const RemoteWitness& other : remote) {
            if (group.kept == max_kept_ || (guarded && group.closest)) {
                ++result_.statistics.places_not_compared;
                return;
            }
            if (other.writes != remote_writes || !other.bytes.overlaps(one.first_bytes) ||
                !other.bytes.overlaps(one.second_bytes)) {
                continue;
            }
            if (budget == 0 && group.closest) {
                group.undecided = true;
                ++result_.statistics.places_not_compared;
                return;
            }
            budget -= budget == 0 ? 0 : 1;
            const AtomicityCandidate candidate = judge(one, other, pattern);
            if (candidate.kept()) {
                ++group.kept;
                result_.candidates.push_back(candidate);
            } else if (!group.closest || group.closest->refuted_by < candidate.refuted_by) {
                group.closest = candidate;
            }
        }
    }

    /// Whether a lock that the one side always holds excludes one that the other always holds.
    [[nodiscard]] bool always_excluded(std::span<const TransactionWitness> transactional,
                                       std::span<const RemoteWitness> remote) {
        if (transactional.size() * remote.size() <= kFewPairs) return false;
        LockProfiles& profiles = witnesses_.profiles();
        const auto common = [&](const auto& all) {
            ProfileId result = all.front().profile;
            for (const auto& one : all) result = profiles.common(result, one.profile);
            return profiles.lockset_id(result);
        };
        const LocksetId mine = common(transactional);
        return profiles.locksets_exclude(mine, common(remote));
    }

    AtomicityCandidate judge(const TransactionWitness& one, const RemoteWitness& other,
                             AtomicityPattern pattern) {
        LockProfiles& profiles = witnesses_.profiles();
        AtomicityStatistics& statistics = result_.statistics;
        ++statistics.compared;
        AtomicityRefuter refuted_by = AtomicityRefuter::nothing;
        switch (profiles.verdict(one.profile, other.profile)) {
        case LockVerdict::excluded_by_lockset:
            refuted_by = AtomicityRefuter::lockset;
            ++statistics.refuted_by_lockset;
            break;
        case LockVerdict::excluded_by_history:
            refuted_by = AtomicityRefuter::history;
            ++statistics.refuted_by_history;
            break;
        case LockVerdict::compatible:
            if (witnesses_.futures().completable(profiles.histories(), one.future, other.future)) break;
            refuted_by = AtomicityRefuter::completion;
            ++statistics.refuted_by_completion;
            break;
        }
        return {.violation = {one.first, other.event, one.second, pattern},
                .variable = one.variable,
                .transaction_profile = one.profile,
                .remote_profile = other.profile,
                .refuted_by = refuted_by,
                .exact = one.exact && profiles.exact(one.thread) && profiles.exact(other.thread) &&
                         profiles.exact(one.profile) && profiles.exact(other.profile)};
    }

    PhaseOne& witnesses_;
    std::size_t max_kept_;
    std::size_t max_compared_;
    AtomicityResult result_;
};

} // namespace

AtomicityResult compare(PhaseOne& witnesses, const AtomicityLimits& limits) {
    return Comparison{witnesses, limits}.run();
}

AtomicityResult find_atomicity_violations(const Trace& trace, std::span<const TransactionBlock> given,
                                          const AtomicityLimits& limits) {
    PhaseOneOptions options{.given = {given.begin(), given.end()}, .max_places = limits.max_places};
    PhaseOne witnesses{options};
    witnesses.extend(trace);
    options.futures = threads_that_may_block(witnesses.profiles(), trace.thread_count());
    if (std::ranges::none_of(options.futures, std::identity{})) return compare(witnesses, limits);
    PhaseOne with_futures{options};
    with_futures.extend(trace);
    AtomicityResult result = compare(with_futures, limits);
    result.statistics.may_block = true;
    return result;
}

} // namespace heddle
