#include "daemon/report/sarif.h"

#include "lsp/uri.h"

#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::report {

namespace {

using nlohmann::json;

constexpr const char* kSchema = "https://json.schemastore.org/sarif-2.1.0.json";

json text(std::string words) {
    return {{"text", std::move(words)}};
}

json rules() {
    const auto rule = [](const char* id, const char* name, const char* what) {
        return json{{"id", id}, {"name", name}, {"shortDescription", text(what)}};
    };
    return {
        rule("race", "DataRace", "Two threads can access the same memory at once, and one of them writes."),
        rule("atomicity", "AtomicityViolation",
             "Another thread can come between two accesses that belong together."),
        rule("deadlock", "Deadlock", "Threads can wait for each other's locks for ever.")};
}

/// A file below the folder where heddle runs is named relative to it, so that it is found in any checkout.
json artifact(const std::string& file) {
    if (file.starts_with('/')) return {{"uri", lsp::uri_of_path(file)}};
    constexpr std::string_view kRoot = "file:///";
    return {{"uri", lsp::uri_of_path("/" + file).substr(kRoot.size())}, {"uriBaseId", "SRCROOT"}};
}

/// The expression, or else the place in it.
json region(const json& place) {
    if (place.contains("expression")) {
        const json& expression = place["expression"];
        return {{"startLine", expression["line"]},
                {"startColumn", expression["column"]},
                {"endLine", expression["end_line"]},
                {"endColumn", expression["end_column"]}};
    }
    json result = {{"startLine", place["line"]}};
    if (place.value("column", 0U) > 0) result["startColumn"] = place["column"];
    return result;
}

/// `place` has `file`, `line`, `column`, `expression` and `function` as far as they are known.
json location(const json& place) {
    json result = json::object();
    if (const std::string file = place.value("file", ""); !file.empty()) {
        result["physicalLocation"]["artifactLocation"] = artifact(file);
        if (place.value("line", 0U) > 0) result["physicalLocation"]["region"] = region(place);
    }
    if (const std::string function = place.value("function", ""); !function.empty())
        result["logicalLocations"] = json::array({{{"fullyQualifiedName", function}, {"kind", "function"}}});
    return result;
}

json step_location(const json& step) {
    json at = location(step);
    const std::string value = step.value("value", "");
    at["message"] = text(step["words"].get<std::string>() + (value.empty() ? "" : " " + value));
    return {{"location", std::move(at)},
            {"executionOrder", step["step"]},
            {"importance", step["marked"].get<bool>() ? "essential" : "important"}};
}

json code_flow(const json& story) {
    json flows = json::array();
    for (const json& thread : story["threads"]) {
        json steps = json::array();
        for (const json& row : story["rows"]) {
            if (row.contains("step") && row["thread_id"] == thread["thread_id"])
                steps.push_back(step_location(row));
        }
        if (!steps.empty()) flows.push_back({{"id", thread["full_name"]}, {"locations", std::move(steps)}});
    }
    return {{"message", text("A schedule of the recorded run that leads there")},
            {"threadFlows", std::move(flows)}};
}

std::string place_words(const json& access) {
    const std::string file = access.value("file", "");
    return file.empty() ? access.value("place", "an unknown place")
                        : fmt::format("{}:{}", file, access.value("line", 0U));
}

std::string message(const json& finding) {
    std::string result = finding["headline"].get<std::string>();
    for (const json& access : finding["accesses"]) {
        std::string locks;
        for (const json& lock : access["locks"])
            locks += (locks.empty() ? "" : ", ") + lock["name"].get<std::string>() +
                     (lock.value("shared", false) ? " (shared)" : "");
        result += fmt::format("; {} by {} at {}, holding {}", access["operation"].get<std::string>(),
                              access["thread"].get<std::string>(), place_words(access),
                              locks.empty() ? "nothing" : locks);
    }
    if (finding.contains("intent"))
        result += fmt::format("; {}: {}", finding["intent"].get<std::string>(),
                              finding["because"].get<std::string>());
    return result;
}

json result_of(const json& finding) {
    const bool witnessed = finding.contains("witness");
    const bool inferred = finding.value("intent", "") == "inferred";
    json result = {{"ruleId", finding["kind"]},
                   {"level", witnessed && !inferred ? "error" : "warning"},
                   {"message", text(message(finding))},
                   {"locations", json::array({location(finding["accesses"][0])})},
                   {"partialFingerprints", {{kFingerprintName, finding["fingerprint"]}}},
                   {"properties", {{"verdict", finding["verdict"]}}}};
    if (finding.contains("intent")) result["properties"]["intent"] = finding["intent"];
    for (std::size_t i = 1; i < finding["accesses"].size(); ++i) {
        json other = location(finding["accesses"][i]);
        other["id"] = i;
        other["message"] = text(finding["accesses"][i]["operation"].get<std::string>());
        result["relatedLocations"].push_back(std::move(other));
    }
    if (witnessed) result["codeFlows"] = json::array({code_flow(finding["witness"]["story"])});
    if (finding.value("suppressed", false))
        result["suppressions"] =
            json::array({{{"kind", "external"}, {"justification", finding["suppressed_by"]}}});
    return result;
}

/// What makes a finding of one trace the same as one of another: what it is, and all its places.
std::string identity(const json& finding) {
    std::string result = finding["fingerprint"];
    for (const json& access : finding["accesses"])
        result += fmt::format("|{}:{}", place_words(access), access.value("column", 0U));
    return result;
}

/// The results of all traces. A finding that several have is one result, told by the first that has a
/// schedule.
class Results {
  public:
    void add(const json& finding, const json& trace) {
        const auto [known, is_new] = by_identity_.try_emplace(identity(finding), all_.size());
        if (is_new) all_.push_back(result_of(finding));
        json& result = all_[known->second];
        const json traces = is_new ? json::array() : result["properties"]["traces"];
        if (!result.contains("codeFlows") && finding.contains("witness")) result = result_of(finding);
        result["properties"]["traces"] = traces;
        result["properties"]["traces"].push_back(trace);
        result["occurrenceCount"] = result["properties"]["traces"].size();
    }

    [[nodiscard]] json take() { return std::exchange(all_, json::array()); }

  private:
    json all_ = json::array();
    std::map<std::string, std::size_t> by_identity_;
};

/// One call of heddle: what it could not read, and where it stopped early.
json invocation_of(const json& reports) {
    json result = {{"executionSuccessful", true}};
    const auto notify = [&result](const char* level, const json& words) {
        result["toolExecutionNotifications"].push_back(
            {{"level", level}, {"message", text(words.get<std::string>())}});
    };
    for (const json& report : reports) {
        for (const json& limit : report.value("limits_reached", json::array())) notify("warning", limit);
        if (!report.contains("error")) continue;
        result["executionSuccessful"] = false;
        notify("error", report["error"]);
    }
    return result;
}

} // namespace

nlohmann::json sarif(const nlohmann::json& reports, const std::string& version) {
    Results results;
    for (const json& report : reports) {
        for (const json& finding : report.value("findings", json::array()))
            results.add(finding, report["file"]);
    }
    const json run = {{"tool", {{"driver", {{"name", "Heddle"}, {"version", version}, {"rules", rules()}}}}},
                      {"columnKind", "unicodeCodePoints"},
                      {"invocations", json::array({invocation_of(reports)})},
                      {"results", results.take()}};
    return {{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", json::array({run})}};
}

} // namespace heddle::report
