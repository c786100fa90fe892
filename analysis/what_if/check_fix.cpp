#include "analysis/what_if/check_fix.h"

#include "analysis/what_if/changed_run.h"

#include <algorithm>
#include <cstdint>
#include <set>

namespace heddle {

namespace {

AnalyzeOptions options_for(const Property& finding) {
    AnalyzeOptions options;
    // A lock that is held over more makes no new race, and none of this is asked about another kind.
    options.races = std::holds_alternative<Race>(finding);
    options.refuted = false;
    return options;
}

/// What tells the finding from others on its variable; places have the same ids in all runs made of one.
std::vector<std::uint32_t> places_of(const Trace& trace, const Property& finding) {
    std::vector<std::uint32_t> places;
    for (const EventId event : events_of(finding))
        places.push_back(trace.place_for_people(trace[event].stack()).value);
    if (std::holds_alternative<Race>(finding)) std::ranges::sort(places);
    return places;
}

bool is_asked(const Finding& finding, const std::set<VarId>& variables) {
    return finding.kind() == FindingKind::deadlock || variables.contains(VarId{finding.key.parts.front()});
}

} // namespace

bool FixCheck::safe() const {
    return removed && complete && std::ranges::all_of(fresh, [](std::size_t count) { return count == 0; });
}

std::vector<VarId> touched_variables(const Trace& trace, const Property& finding, const Change& change) {
    std::set<VarId> variables(change.atomic.begin(), change.atomic.end());
    for (const EventId event : events_of(finding)) variables.insert(trace[event].variable());
    for (const HeldSpan& span : change.held) {
        const ThreadIndex& events = trace.events_of(span.thread);
        for (std::size_t i = trace.index_in_thread(span.first);
             i < events.size() && events[i] <= span.last.value; ++i) {
            const EventView event = trace[EventId{events[i]}];
            if (is_access(event.kind())) variables.insert(event.variable());
        }
    }
    return {variables.begin(), variables.end()};
}

Result<FixCheck> check_fix(const Trace& trace, const Property& finding, const Change& change,
                           const Progress& progress) {
    const std::vector<VarId> variables = touched_variables(trace, finding, change);
    const std::set<VarId> asked(variables.begin(), variables.end());
    const auto changed = changed_run(trace, change, variables);
    if (!changed) return tl::make_unexpected(changed.error());
    const AnalyzeOptions options = options_for(finding);
    const Analysis after = analyze(changed->trace, options, progress);

    const FindingKind kind =
        std::holds_alternative<Race>(finding) ? FindingKind::race : FindingKind::atomicity;
    const std::vector<std::uint32_t> places = places_of(trace, finding);
    FixCheck result{
        .removed = true, .fresh = {}, .complete = after.limits_reached.empty() && !change.leaves_out};
    std::vector<const Finding*> left;
    for (const Finding& one : after.findings) {
        if (!is_asked(one, asked)) continue;
        const bool same = one.kind() == kind && std::equal(one.key.parts.begin() + 1, one.key.parts.end(),
                                                           places.begin(), places.end());
        if (same) result.removed = false;
        left.push_back(&one);
    }
    if (left.empty()) return result;

    std::set<CandidateKey> before;
    const Analysis recorded = analyze(reduced_run(trace, change.repeated, variables), options, progress);
    for (const Finding& one : recorded.findings) before.insert(one.key);
    for (const Finding* one : left) {
        if (before.contains(one->key)) continue;
        if (std::holds_alternative<Undecided>(one->verdict)) result.complete = false;
        ++result.fresh[static_cast<std::size_t>(one->kind())];
    }
    return result;
}

} // namespace heddle
