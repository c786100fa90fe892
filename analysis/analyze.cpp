#include "analysis/analyze.h"

#include "analysis/access_groups.h"
#include "analysis/atomicity_findings.h"
#include "analysis/hard_order.h"
#include "analysis/lock_profiles.h"
#include "analysis/seed_edges.h"
#include "analysis/semaphore_balance.h"
#include "analysis/ucg.h"

#include <algorithm>
#include <map>

namespace heddle {

namespace {

std::vector<EventId> events_of(const Property& property) {
    if (const auto* race = std::get_if<Race>(&property)) return {race->first, race->second};
    if (const auto* triple = std::get_if<AtomicityViolation>(&property)) {
        return {triple->first, triple->remote, triple->second};
    }
    std::vector<EventId> requests;
    for (const DeadlockStep& step : std::get<Deadlock>(property).steps) requests.push_back(step.requests);
    return requests;
}

Finding finding(FindingKind kind, Verdict verdict, Property property, std::uint64_t count, bool count_exact) {
    Finding result{.kind = kind,
                   .verdict = std::move(verdict),
                   .property = std::move(property),
                   .count = count,
                   .count_exact = count_exact};
    for (const EventId event : events_of(result.property)) result.accesses.push_back({event, {}});
    return result;
}

/// Notes at each event of a finding what its thread holds there. One pass over the trace for all of them.
void note_locks(const Trace& trace, std::vector<Finding>& findings) {
    std::multimap<EventId, FindingAccess*> wanted;
    for (Finding& one : findings) {
        for (FindingAccess& access : one.accesses) wanted.emplace(access.event, &access);
    }
    LockProfiles profiles;
    auto next = wanted.begin();
    for (const EventView event : trace.events()) {
        for (; next != wanted.end() && next->first == event.id(); ++next) {
            const auto held = profiles.lockset(profiles.current(event.thread()));
            next->second->locks.assign(held.begin(), held.end());
        }
        profiles.step(event);
    }
}

} // namespace

Analysis analyze(const Trace& trace, const AnalyzeOptions& options) {
    const SeedEdges seeds = seed_edges(trace, counted_semaphores(trace));
    const HardOrder order(trace, seeds);
    const CausalityGraph causality(trace);

    Analysis result;
    result.segments = order.segments();
    if (options.races) {
        LockProfiles profiles;
        const std::vector<AccessGroup> groups = group_accesses(trace, order, profiles);
        RaceAnalysis races = find_races(trace, groups, order, profiles, causality);
        result.groups = groups.size();
        result.profiles = profiles.size();
        result.counts[static_cast<std::size_t>(FindingKind::race)] = races.counts;
        for (RaceCandidate& race : races.candidates) {
            result.findings.push_back(finding(FindingKind::race, std::move(race.verdict), race.representative,
                                              race.event_pairs, race.count_exact));
        }
    }
    if (options.atomicity) {
        AtomicityAnalysis violations = find_atomicity(trace, order, causality, options.transactions);
        result.counts[static_cast<std::size_t>(FindingKind::atomicity)] = violations.counts;
        for (AtomicityFindingCandidate& one : violations.candidates) {
            result.findings.push_back(
                finding(FindingKind::atomicity, std::move(one.verdict), one.representative, 1, false));
        }
    }
    if (options.deadlocks) {
        DeadlockAnalysis deadlocks = find_deadlocks(trace, order, causality);
        result.counts[static_cast<std::size_t>(FindingKind::deadlock)] = deadlocks.counts;
        if (!deadlocks.complete)
            result.limits_reached.emplace_back("the search for deadlocks stopped at its limit");
        for (DeadlockCandidate& deadlock : deadlocks.candidates) {
            result.findings.push_back(finding(FindingKind::deadlock, std::move(deadlock.verdict),
                                              std::move(deadlock.representative), deadlock.count,
                                              deadlocks.complete));
        }
    }
    note_locks(trace, result.findings);
    return result;
}

} // namespace heddle
