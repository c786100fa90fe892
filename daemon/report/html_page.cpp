#include "daemon/report/html_page.h"

#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <string_view>

#include <nlohmann/json.hpp>

namespace heddle::report {

namespace {

constexpr std::uint64_t kContext = 3;      ///< lines around a place
constexpr std::size_t kMaxColumns = 1'000; ///< of a line: more is no source that a person reads

/// By file, the lines that are shown.
using WantedLines = std::map<std::string, std::set<std::uint64_t>>;

/// The lines around a place: an access, or a row of a story.
void want(const nlohmann::json& place, WantedLines& wanted) {
    const std::string file = place.value("file", "");
    const auto expression_line = nlohmann::json::json_pointer("/expression/line");
    const std::uint64_t line = place.value(expression_line, place.value("line", std::uint64_t{0}));
    if (file.empty() || line == 0) return;
    for (std::uint64_t at = line > kContext ? line - kContext : 1; at <= line + kContext; ++at)
        wanted[file].insert(at);
}

WantedLines wanted_lines(const nlohmann::json& reports) {
    WantedLines wanted;
    for (const nlohmann::json& report : reports) {
        for (const nlohmann::json& finding : report.value("findings", nlohmann::json::array())) {
            for (const nlohmann::json& access : finding["accesses"]) want(access, wanted);
            if (!finding.contains("witness")) continue;
            // The observed order has the same steps.
            for (const nlohmann::json& row : finding["witness"]["story"]["rows"]) want(row, wanted);
        }
    }
    return wanted;
}

nlohmann::json lines_of(const std::string& file, const std::set<std::uint64_t>& wanted) {
    nlohmann::json lines = nlohmann::json::object();
    std::ifstream source(file);
    std::string line;
    for (std::uint64_t number = 1; number <= *wanted.rbegin() && std::getline(source, line); ++number) {
        if (wanted.contains(number)) lines[std::to_string(number)] = line.substr(0, kMaxColumns);
    }
    return lines;
}

/// Schedules are long, and the page shows their stories.
void leave_out_schedules(nlohmann::json& reports) {
    for (nlohmann::json& report : reports) {
        if (!report.contains("findings")) continue;
        for (nlohmann::json& finding : report["findings"]) {
            finding.erase("ways");
            if (finding.contains("witness")) finding["witness"].erase("steps");
        }
    }
}

/// So that no text of the data ends the element that holds them.
std::string escaped(const std::string& json) {
    std::string result;
    for (const char c : json) {
        if (c == '<') {
            result += "\\u003c";
        } else {
            result += c;
        }
    }
    return result;
}

} // namespace

std::string html_page(nlohmann::json reports) {
    nlohmann::json sources = nlohmann::json::object();
    for (const auto& [file, lines] : wanted_lines(reports)) sources[file] = lines_of(file, lines);
    leave_out_schedules(reports);
    const nlohmann::json data = {{"reports", std::move(reports)}, {"sources", std::move(sources)}};
    const std::string_view page = kReportPage;
    constexpr std::string_view kHole = "<!--data-->";
    const std::size_t hole = page.find(kHole);
    std::string result(page.substr(0, hole));
    result += escaped(data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    result += page.substr(hole + kHole.size());
    return result;
}

} // namespace heddle::report
