#include "daemon/present/witness_now.h"

#include "daemon/present/lines_now.h"

#include <cstdint>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

namespace heddle::present {

namespace {

/// By the number of its event, where a step is now: the recorded order has the same events.
using Places = std::map<std::uint64_t, PlaceNow>;

Places places_now(const View& view, const service::Sighting& sighting, const nlohmann::json& rows) {
    Places result;
    for (const nlohmann::json& row : rows) {
        const std::size_t step = row.value("step", std::size_t{0});
        if (step == 0 || step > sighting->steps.size()) continue;
        const report::SourcePlace& place = sighting->steps[step - 1].place;
        const std::string file = view.bugs.absolute(place);
        if (!file.empty()) result[row["event"]] = view.drift.now(*sighting.report, place, file, view.texts);
    }
    return result;
}

} // namespace

nlohmann::json witness_now(const View& view, const service::Sighting& sighting) {
    nlohmann::json json = nlohmann::json::parse(sighting->witness_json, nullptr, false);
    if (!json.is_object() || !json.contains("witness")) return nlohmann::json::object();
    nlohmann::json& witness = json["witness"];
    const Places places = places_now(view, sighting, witness["story"]["rows"]);
    const LinesNow lines(view, sighting, 0);
    for (const char* order : {"story", "observed"}) {
        for (nlohmann::json& row : witness[order]["rows"]) {
            if (row.contains("words")) row["words"] = lines.in(row["words"].get<std::string>());
            const auto now = places.find(row.value("event", std::uint64_t{0}));
            if (!row.contains("step") || now == places.end() || now->second.line == 0) continue;
            row["line"] = now->second.line;
            if (now->second.column != 0) row["column"] = now->second.column;
        }
    }
    return json;
}

} // namespace heddle::present
