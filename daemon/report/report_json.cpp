#include "daemon/report/report_json.h"

#include <exception>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::report {

// nlohmann finds these by argument-dependent lookup.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SourcePlace, file, line, column, end_line, end_column, function)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ReportedAccess, event, operation, thread, locks, place, callers, act)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ReportedStep, thread, words, place, marked)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ReportedFinding, number, kind, certainty, headline, variable, why, intent,
                                   because, accesses, steps, schedule, schedule_text, witness_json,
                                   recorded_key)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SourceVersion, file, hash, changed, functions)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ReportedUse, place, act, locks, count)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ReportedVariable, name, guard, guarded, accesses, uses)

std::string stored(const TraceReport& report) {
    nlohmann::json json = {{"version", kReportVersion},   {"test", report.test},
                           {"command", report.command},   {"events", report.events},
                           {"complete", report.complete}, {"findings", report.findings},
                           {"left_out", report.left_out}, {"notes", report.notes},
                           {"sources", report.sources},   {"variables", report.variables}};
    if (report.recorded_unix_ns) json["recorded"] = *report.recorded_unix_ns;
    const std::vector<std::uint8_t> bytes = nlohmann::json::to_cbor(json);
    return {bytes.begin(), bytes.end()};
}

Result<TraceReport> restored(std::string_view bytes) {
    try {
        const nlohmann::json json = nlohmann::json::from_cbor(bytes);
        if (json.at("version") != kReportVersion) return fail("made by another version of heddle");
        TraceReport report;
        json.at("test").get_to(report.test);
        json.at("command").get_to(report.command);
        json.at("events").get_to(report.events);
        json.at("complete").get_to(report.complete);
        json.at("findings").get_to(report.findings);
        json.at("left_out").get_to(report.left_out);
        json.at("notes").get_to(report.notes);
        json.at("sources").get_to(report.sources);
        json.at("variables").get_to(report.variables);
        if (json.contains("recorded")) report.recorded_unix_ns = json["recorded"].get<std::int64_t>();
        for (const ReportedFinding& finding : report.findings) {
            if (static_cast<std::size_t>(finding.kind) >= kFindingKinds ||
                static_cast<std::size_t>(finding.certainty) >= kCertaintyNames.size() ||
                static_cast<std::size_t>(finding.intent) >= kIntentNames.size())
                return fail("has a finding of no known kind");
        }
        return report;
    } catch (const std::exception& error) {
        return fail(fmt::format("cannot be read: {}", error.what()));
    }
}

} // namespace heddle::report
