#include "daemon/service/summary.h"

#include "daemon/service/workspace.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::service {

namespace {

struct Noun {
    std::string_view one;
    std::string_view many;
};
constexpr std::array<Noun, kFindingKinds> kNouns = {
    {{"race", "races"}, {"atomicity violation", "atomicity violations"}, {"deadlock", "deadlocks"}}};

std::string count_words(const Summary& summary) {
    std::string result;
    for (std::size_t kind = 0; kind < kNouns.size(); ++kind) {
        const std::size_t count = summary.findings[kind];
        if (count == 0) continue;
        result += fmt::format("{}{} {}", result.empty() ? "" : ", ", count,
                              count == 1 ? kNouns[kind].one : kNouns[kind].many);
    }
    return result;
}

} // namespace

Summary& Summary::operator+=(const Summary& other) {
    traces += other.traces;
    for (std::size_t kind = 0; kind < findings.size(); ++kind) findings[kind] += other.findings[kind];
    confirmed += other.confirmed;
    hidden += other.hidden;
    // Of several folders the one that is furthest behind tells how far the work is.
    if (other.analysing > 0) percent = analysing == 0 ? other.percent : std::min(percent, other.percent);
    analysing += other.analysing;
    growing += other.growing;
    recording = recording || other.recording;
    return *this;
}

Summary summary_of(Workspace& workspace, const std::set<std::string>& ignored) {
    const TraceStore::Activity activity = workspace.traces().activity();
    Summary result{.traces = workspace.traces().paths().size(),
                   .analysing = activity.waiting,
                   .percent = activity.percent,
                   .growing = activity.growing};
    for (const auto& [key, bug] : workspace.bugs().all()) {
        if (workspace.visible(bug) && !ignored.contains(key)) {
            ++result.findings[static_cast<std::size_t>(bug.best()->kind)];
            if (bug.best()->certainty == report::Certainty::confirmed) ++result.confirmed;
        } else {
            ++result.hidden;
        }
    }
    return result;
}

std::string words(const Summary& summary) {
    if (summary.recording) return "recording";
    if (summary.analysing > 0) return fmt::format("analysing {} %", summary.percent);
    if (std::string counts = count_words(summary); !counts.empty()) return counts;
    return summary.traces == 0 ? "no traces" : "no findings";
}

nlohmann::json to_status(const Summary& summary) {
    const char* state = summary.recording ? "recording" : summary.analysing > 0 ? "analysing" : "idle";
    return {{"text", words(summary)},
            {"state", state},
            {"traces", summary.traces},
            {"races", summary.findings[0]},
            {"atomicityViolations", summary.findings[1]},
            {"deadlocks", summary.findings[2]},
            {"confirmed", summary.confirmed},
            {"hidden", summary.hidden},
            {"analysing", summary.analysing},
            {"percent", summary.percent},
            {"growing", summary.growing}};
}

} // namespace heddle::service
