#include "daemon/fix/offers.h"

#include "analysis/what_if/check_fix.h"
#include "daemon/fix/atomic_fix.h"
#include "daemon/fix/lock_fixes.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace heddle::fix {

namespace {

constexpr std::size_t kMaxTried = 6; ///< drafts, for one access

/// The recorded events of the finding; nothing when the trace does not have them.
std::optional<Property> property_of(const Trace& trace, const report::ReportedFinding& finding) {
    const std::vector<report::ReportedAccess>& accesses = finding.accesses;
    for (const report::ReportedAccess& access : accesses) {
        if (access.event >= trace.size() || !is_access(trace[EventId{access.event}].kind()))
            return std::nullopt;
    }
    const auto event = [&](std::size_t number) { return EventId{accesses[number].event}; };
    if (finding.kind == FindingKind::race && accesses.size() == 2) return Race{event(0), event(1)};
    if (finding.kind == FindingKind::atomicity && accesses.size() == 3)
        return AtomicityViolation{event(0), event(1), event(2), AtomicityPattern::rwr};
    return std::nullopt;
}

/// Of accesses that only the source says belong together the changed run knows nothing: unless the fix puts
/// both under one lock, it would look as if whatever is done removed the violation.
bool makes_one(const Trace& trace, const Change& change, const Property& property) {
    const auto* violation = std::get_if<AtomicityViolation>(&property);
    return violation != nullptr && std::ranges::any_of(change.held, [&](const HeldSpan& span) {
               return span.thread == trace[violation->first].thread() && span.first <= violation->first &&
                      violation->second <= span.last;
           });
}

/// The worse of what both changes of a draft show; nothing when one of them cannot be made.
std::optional<FixCheck> check_draft(const Trace& trace, const Property& property, const Draft& draft,
                                    const Progress& progress) {
    auto check = check_fix(trace, property, draft.change, progress);
    if (!check) return std::nullopt;
    if (!draft.otherwise || !check->removed) return *check;
    const auto other = check_fix(trace, property, *draft.otherwise, progress);
    if (!other) return std::nullopt;
    check->removed = other->removed;
    check->complete = check->complete && other->complete;
    for (std::size_t kind = 0; kind < kFindingKinds; ++kind)
        check->fresh[kind] = std::max(check->fresh[kind], other->fresh[kind]);
    return *check;
}

std::string consequences(const FixCheck& check, const Draft& draft, FindingKind kind) {
    const std::size_t deadlocks = check.fresh[static_cast<std::size_t>(FindingKind::deadlock)];
    const std::size_t violations = check.fresh[static_cast<std::size_t>(FindingKind::atomicity)];
    const std::string removed =
        kind == FindingKind::race ? "removes this race" : "removes this atomicity violation";
    if (deadlocks > 0) return removed + ", but a deadlock becomes possible";
    if (!check.complete) return removed + "; whether it brings a deadlock is not known";
    if (violations > 0) return removed + "; an atomicity violation becomes possible";
    if (!draft.caveat.empty()) return removed + ", but " + draft.caveat;
    return removed + "; no new deadlock";
}

} // namespace

std::vector<Offer> offers(const Trace& trace, const std::string& root, const report::TraceReport& report,
                          const report::ReportedFinding& finding, std::size_t access,
                          const Progress& progress) {
    const auto property = property_of(trace, finding);
    if (!property || trace.size() != report.events) return {};
    Sources sources(root, report);
    const RunPlaces places(trace, sources);
    std::vector<Draft> drafts = lock_fixes(places, sources, *property, access);
    if (const auto* race = std::get_if<Race>(&*property)) {
        if (auto draft = atomic_fix(places, sources, *race, events_of(*property)[access]))
            drafts.push_back(std::move(*draft));
    }
    std::vector<Offer> result;
    std::set<std::string> offered; // of several places for the same lock, the innermost that works
    std::size_t tried = 0;
    for (Draft& draft : drafts) {
        if (offered.contains(draft.title) || tried == kMaxTried) continue;
        if (finding.intent != Intent::recorded && !makes_one(trace, draft.change, *property)) continue;
        ++tried;
        const auto check = check_draft(trace, *property, draft, progress);
        if (!check || !check->removed) continue;
        offered.insert(draft.title);
        result.push_back(
            {.title = fmt::format("{}: {}", draft.title, consequences(*check, draft, finding.kind)),
             .files = std::move(draft.files),
             .safe = check->safe() && draft.caveat.empty()});
    }
    std::ranges::stable_partition(result, &Offer::safe);
    return result;
}

} // namespace heddle::fix
