#include "daemon/present/finding_list.h"

#include "daemon/present/lines_now.h"
#include "daemon/present/sentences.h"

#include <nlohmann/json.hpp>

namespace heddle::present {

namespace {

nlohmann::json place_json(const View& view, const report::TraceReport& report,
                          const report::ReportedAccess& access, const PlaceNow& now) {
    const report::SourcePlace& place = view.bugs.shown(access);
    const lsp::Location at = location(view, report, place);
    return {{"uri", at.uri},
            {"range", at.range},
            {"line", now.kept && !now.aged ? now.line : place.line},
            {"function", place.function},
            {"operation", access.operation},
            {"thread", access.thread},
            {"locks", report::lock_words(access.locks)}};
}

} // namespace

nlohmann::json list_entry(const View& view, const service::Bug& bug) {
    const service::Sighting& sighting = bug.best();
    const report::ReportedFinding& finding = *sighting;
    nlohmann::json json = {{"bug", bug.key},
                           {"kind", kFindingKindNames[static_cast<std::size_t>(finding.kind)]},
                           {"state", report::kCertaintyNames[static_cast<std::size_t>(finding.certainty)]},
                           {"headline", finding.headline},
                           {"message", LinesNow(view, sighting, 0).in(sentence(finding, 0))},
                           {"witness", !finding.schedule.empty()},
                           {"trace", sighting.trace},
                           {"finding", finding.number},
                           {"test", sighting.report->test},
                           {"places", nlohmann::json::array()}};
    if (finding.intent != Intent::recorded)
        json["intent"] = kIntentNames[static_cast<std::size_t>(finding.intent)];
    if (!finding.variable.empty()) json["variable"] = finding.variable;
    if (finding.variables > 1) json["variables"] = finding.variables;
    if (sighting.report->recorded_unix_ns) json["recorded"] = *sighting.report->recorded_unix_ns / 1'000'000;
    bool stale = false;
    for (const report::ReportedAccess& access : finding.accesses) {
        const report::SourcePlace& place = view.bugs.shown(access);
        const std::string file = view.bugs.absolute(place);
        if (file.empty()) continue;
        const PlaceNow now = view.drift.now(*sighting.report, place, file, view.texts);
        json["places"].push_back(place_json(view, *sighting.report, access, now));
        stale = stale || now.aged;
    }
    if (stale) json["stale"] = true; // as of the last run: the code has changed
    return json;
}

} // namespace heddle::present
