#include "daemon/replay/results.h"

#include "daemon/report/make_report.h"
#include "daemon/settings/text_file.h"
#include "traces/io/file_sink.h"

#include <nlohmann/json.hpp>

namespace heddle::replay {

namespace {

constexpr int kVersion = 1;
constexpr std::size_t kMostBytes = std::size_t{16} << 20U;

nlohmann::json identity_json(const RunIdentity& run) {
    nlohmann::json json = {{"events", run.events}};
    if (run.recorded_unix_ns) json["recorded_unix_ns"] = *run.recorded_unix_ns;
    return json;
}

/// The file's content if it is about this run, else a fresh one.
nlohmann::json content(const std::string& trace_path, const RunIdentity& run) {
    const nlohmann::json fresh = {
        {"version", kVersion}, {"run", identity_json(run)}, {"findings", nlohmann::json::object()}};
    const auto text = settings::read_text_file(results_path(trace_path), kMostBytes);
    if (!text || !*text) return fresh;
    nlohmann::json json = nlohmann::json::parse(**text, nullptr, false);
    if (!json.is_object() || json.value("version", nlohmann::json()) != kVersion ||
        json.value("run", nlohmann::json()) != fresh["run"] ||
        !json.value("findings", nlohmann::json()).is_object())
        return fresh;
    return json;
}

template<typename Value>
Value member(const nlohmann::json& object, const char* name) {
    const auto found = object.find(name);
    if (found == object.end()) return {};
    if constexpr (std::is_same_v<Value, bool>) return found->is_boolean() && found->get<bool>();
    if constexpr (std::is_same_v<Value, std::string>)
        return found->is_string() ? found->get<std::string>() : Value();
    if constexpr (std::is_same_v<Value, unsigned>)
        return found->is_number_unsigned() ? found->get<unsigned>() : 0;
}

} // namespace

RunIdentity identity_of(const Trace& trace) {
    return {trace.metadata().start_time_unix_ns, trace.size()};
}

std::string results_path(const std::string& trace_path) {
    return trace_path + ".replay.json";
}

ReplayResults load_results(const std::string& trace_path, const RunIdentity& run) {
    ReplayResults results;
    const nlohmann::json json = content(trace_path, run);
    for (const auto& [bug, about] : json["findings"].items()) {
        if (!about.is_object()) continue;
        results[bug] = {.confirmed = member<bool>(about, "confirmed"),
                        .when = member<std::string>(about, "when"),
                        .attempts = member<unsigned>(about, "attempts"),
                        .explanation = member<std::string>(about, "explanation")};
    }
    return results;
}

Result<void> save_result(const std::string& trace_path, const RunIdentity& run, const std::string& bug,
                         const ReplayResult& result) {
    nlohmann::json json = content(trace_path, run);
    nlohmann::json& about = json["findings"][bug];
    if (about.is_object() && member<bool>(about, "confirmed") && !result.confirmed) return {};
    about = {{"confirmed", result.confirmed}, {"when", result.when}, {"attempts", result.attempts}};
    if (!result.explanation.empty()) about["explanation"] = result.explanation;
    FileSink sink(results_path(trace_path));
    if (auto written = sink.write(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
        !written)
        return written;
    return sink.finish();
}

void mark_confirmed(const std::string& trace_path, const Trace& trace, Analysis& analysis) {
    const ReplayResults results = load_results(trace_path, identity_of(trace));
    if (results.empty()) return;
    for (Finding& finding : analysis.findings) {
        auto* witness = std::get_if<Witnessed>(&finding.verdict);
        if (witness == nullptr) continue;
        const auto known = results.find(report::recorded_key(trace, finding));
        witness->confirmed = known != results.end() && known->second.confirmed;
    }
}

void mark_confirmed(const std::string& trace_path, report::TraceReport& report) {
    const ReplayResults results = load_results(trace_path, {report.recorded_unix_ns, report.events});
    for (report::ReportedFinding& finding : report.findings) {
        if (finding.certainty == report::Certainty::possible) continue;
        const auto known = results.find(finding.recorded_key);
        const bool confirmed = known != results.end() && known->second.confirmed;
        finding.certainty = confirmed ? report::Certainty::confirmed : report::Certainty::witnessed;
    }
}

} // namespace heddle::replay
