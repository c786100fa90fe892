#include "daemon/report/finding_json.h"

#include "daemon/report/event_json.h"
#include "daemon/report/finding_words.h"
#include "daemon/report/fingerprint.h"
#include "daemon/report/report_places.h"
#include "daemon/report/story_json.h"
#include "traces/describe.h"

#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace heddle::report {

namespace {

nlohmann::json access_json(const Trace& trace, const FindingAccess& access) {
    const EventView event = trace[access.event];
    nlohmann::json json = event_json(trace, event);
    const PlaceId place = trace.place_for_people(event.stack());
    add_place(trace, place, json);
    if (const PlaceId innermost = trace.place_of(event.stack()); innermost != place)
        json["innermost"] = trace.place_text(innermost);
    json["operation"] = operation_words(trace, event);
    json["locks"] = nlohmann::json::array();
    for (const LockUse& use : access.locks) {
        json["locks"].push_back({{"name", trace.display_name(ObjectKind::lock, use.lock.value)},
                                 {"shared", use.mode == LockMode::shared}});
    }
    return json;
}

/// Where the source has the expression that is accessed: a place is one column in it.
void add_expression(const Trace& trace, const EventView& event, SourceExpressions& expressions,
                    nlohmann::json& access) {
    SourcePlace place = source_place(trace, trace.place_for_people(event.stack()), expressions);
    expressions.find(place, operation_at(event), object_at(trace, event));
    if (place.end_line == 0) return;
    access["expression"] = {{"line", place.line},
                            {"column", place.column},
                            {"end_line", place.end_line},
                            {"end_column", place.end_column}};
}

void add_verdict(const ThreadPasts& pasts, const Finding& finding, const StoryOptions& options,
                 nlohmann::json& json) {
    json["verdict"] = verdict_name(finding.verdict);
    if (const std::string why = reason(finding.verdict); !why.empty()) json["why"] = why;
    if (const auto* refuted = std::get_if<Refuted>(&finding.verdict))
        json["refuted_by"] = kFilterNames[static_cast<std::size_t>(refuted->by)];
    if (const auto* witness = std::get_if<Witnessed>(&finding.verdict)) {
        json["witness"] =
            witness_json(pasts, *witness, tell(pasts, finding.property, witness->schedule, options));
    }
}

} // namespace

nlohmann::json finding_json(const ThreadPasts& pasts, const Finding& finding, std::size_t number,
                            const StoryOptions& options) {
    const Trace& trace = pasts.trace();
    nlohmann::json json = {{"id", number},
                           {"kind", kFindingKindNames[static_cast<std::size_t>(finding.kind())]},
                           {"headline", headline(trace, finding)},
                           {"count", finding.count},
                           {"count_exact", finding.count_exact},
                           {"accesses", nlohmann::json::array()}};
    add_verdict(pasts, finding, options, json);
    if (finding.kind() != FindingKind::deadlock) {
        json["variable"] = trace.accessed_name(trace[finding.accesses[0].event]);
        json["variables"] = finding.variables;
    }
    if (const auto* triple = std::get_if<AtomicityViolation>(&finding.property)) {
        json["pattern"] = kAtomicityPatternNames[static_cast<std::size_t>(triple->pattern)];
    }
    if (finding.intent() != Intent::recorded) {
        json["intent"] = kIntentNames[static_cast<std::size_t>(finding.intent())];
        json["because"] = intent_words(trace, finding);
    }
    for (const FindingAccess& access : finding.accesses)
        json["accesses"].push_back(access_json(trace, access));
    for (const Property& way : finding.ways) {
        nlohmann::json events = nlohmann::json::array();
        for (const EventId event : events_of(way)) events.push_back(event.value);
        json["ways"].push_back(std::move(events));
    }
    return json;
}

nlohmann::json findings_json(const Trace& trace, const Analysis& analysis, const JsonOptions& options) {
    nlohmann::json json = nlohmann::json::array();
    if (analysis.findings.empty()) return json;
    const ThreadPasts pasts(trace);
    const std::vector<std::size_t> numbers = finding_numbers(analysis);
    const std::vector<std::string> names = fingerprints(trace, analysis);
    for (std::size_t i = 0; i < analysis.findings.size(); ++i) {
        const Finding& finding = analysis.findings[i];
        if (!options.show_refuted && std::holds_alternative<Refuted>(finding.verdict)) continue;
        if (!options.show_suppressed && options.suppressed.is(i)) continue;
        json.push_back(finding_json(pasts, finding, numbers[i]));
        json.back()["fingerprint"] = names[i];
        for (std::size_t at = 0; options.expressions != nullptr && at < finding.accesses.size(); ++at)
            add_expression(trace, trace[finding.accesses[at].event], *options.expressions,
                           json.back()["accesses"][at]);
        if (options.suppressed.is(i)) {
            json.back()["suppressed"] = true;
            json.back()["suppressed_by"] = options.suppressed.by(i);
        }
    }
    return json;
}

} // namespace heddle::report
