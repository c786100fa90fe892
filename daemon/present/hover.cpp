#include "daemon/present/hover.h"

#include "daemon/cli/output.h"
#include "daemon/present/lines_now.h"
#include "daemon/present/sentences.h"
#include "daemon/report/number_words.h"
#include "daemon/report/story_markdown.h"

#include <fmt/format.h>

namespace heddle::present {

namespace {

std::string_view certainty_words(report::Certainty certainty) {
    switch (certainty) {
    case report::Certainty::possible: return "possible: no rule of the run's synchronisation excludes it";
    case report::Certainty::witnessed: return "witnessed: this schedule leads there, and was checked";
    case report::Certainty::confirmed: return "confirmed: the program was seen to do it";
    }
    return {};
}

/// "Recorded 2026-11-16 14:02:07 UTC by bank_test, and in 2 other runs."
std::string origin(const service::Bug& bug) {
    const report::TraceReport& report = *bug.best().report;
    std::string text = "Recorded";
    if (report.recorded_unix_ns) text += fmt::format(" {}", report::utc_time(*report.recorded_unix_ns));
    if (!report.test.empty()) text += fmt::format(" by {}", report.test);
    if (bug.sightings.size() > 1)
        text += fmt::format(", and in {}", report::counted(bug.sightings.size() - 1, "other run"));
    return text + (report.complete ? "." : ", a recording that was not finished.");
}

} // namespace

std::string bug_markdown(const View& view, const service::Bug& bug, std::size_t access) {
    const report::ReportedFinding& finding = *bug.best();
    const auto plain = [](std::string_view text) { return report::markdown_text(text); };
    std::string text = fmt::format("**{}**\n\n{}\n\n", plain(sentence(finding, access)),
                                   plain(certainty_words(finding.certainty)));
    if (!finding.schedule.empty()) text += finding.schedule + "\n";
    if (finding.certainty == report::Certainty::possible && !finding.why.empty())
        text += plain(finding.why) + "\n\n";
    return LinesNow(view, bug.best(), access).in(text) + plain(origin(bug)) + "\n";
}

std::string bug_text(const View& view, const service::Bug& bug, std::size_t access) {
    const report::ReportedFinding& finding = *bug.best();
    std::string text = fmt::format("{}\n{}\n", sentence(finding, access), certainty_words(finding.certainty));
    if (!finding.schedule_text.empty()) text += finding.schedule_text;
    if (finding.certainty == report::Certainty::possible && !finding.why.empty()) text += finding.why + "\n";
    return LinesNow(view, bug.best(), access).in(text) + origin(bug) + "\n";
}

} // namespace heddle::present
