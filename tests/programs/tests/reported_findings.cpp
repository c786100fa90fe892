#include "reported_findings.h"

#include "program_places.h"
#include "run_program.h"
#include "test_files.h"
#include "traces/load.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace heddle::test {

namespace {

using nlohmann::json;

constexpr int kAttempts = 5;
constexpr const char* kWatchdogSeconds = "60"; // a run in which a deadlock struck does not end
// What a run that was not clean may exit with: the bug struck, the order was rare (sample.h), the watchdog
// bit.
constexpr std::array kUnclean = {1, 75, 124};

/// Whether some run was clean; its trace is in the file.
bool record_clean_run(const std::string& program, const std::string& trace) {
    for (int attempt = 1; attempt <= kAttempts; ++attempt) {
        const Ran ran = run_program({"/usr/bin/timeout", kWatchdogSeconds, HEDDLE_PROGRAM, "record",
                                     "--quiet", "--output", trace, "--", program});
        if (ran.status == 0) {
            EXPECT_EQ(ran.err, "");
            return true;
        }
        if (std::ranges::find(kUnclean, ran.status) == kUnclean.end()) {
            ADD_FAILURE() << program << ": exit status " << ran.status << "\n" << ran.err;
            return false;
        }
    }
    ADD_FAILURE() << program << ": none of " << kAttempts << " runs was clean";
    return false;
}

class Reporter {
  public:
    Reporter(const Trace& trace, const std::string& source) : trace_(trace), places_(trace, source) {}

    [[nodiscard]] std::vector<std::string> threads() const {
        std::vector<std::string> names;
        for (std::uint32_t i = 0; i < trace_.thread_count(); ++i) {
            if (ThreadId{i} != trace_[EventId{0U}].thread())
                names.emplace_back(trace_.name(ObjectKind::thread, i));
        }
        return names;
    }

    ReportedFinding finding(const json& reported) {
        ReportedFinding result{.kind = reported.at("kind"),
                               .pattern = reported.value("pattern", ""),
                               .verdict = reported.at("verdict"),
                               .variable = reported.value("variable", ""),
                               .steps = {}};
        for (const json& access : reported.at("accesses")) result.steps.push_back(step(access));
        if (result.kind == "deadlock") add_holds(reported, result);
        return result;
    }

  private:
    [[nodiscard]] EventView event_of(const json& access) const {
        return trace_[EventId{access.at("event").get<std::uint32_t>()}];
    }

    ReportedStep step(const json& access) {
        const EventView event = event_of(access);
        ReportedStep result{.thread = access.at("thread"),
                            .operation = access.at("op"),
                            .frames = places_.frames(event.stack()),
                            .holding = {},
                            .asks_for = is_access(event.kind()) ? "" : places_.lock_name(event.target()),
                            .since = {}};
        for (const json& lock : access.at("locks"))
            result.holding.push_back({.name = lock.at("name"), .shared = lock.at("shared")});
        return result;
    }

    /// Where a thread last took a lock before it came to an event.
    [[nodiscard]] StackId taken_before(const EventView& until, std::uint32_t lock) const {
        StackId taken;
        for (const EventView event : trace_.events()) {
            if (event.id() == until.id()) break;
            const bool takes =
                event.kind() == EventKind::acquire || event.kind() == EventKind::acquire_shared;
            if (takes && event.thread() == until.thread() && event.target() == lock) taken = event.stack();
        }
        return taken;
    }

    /// The thread before in the cycle asks for a lock of this one: where was it taken?
    void add_holds(const json& reported, ReportedFinding& result) {
        const json& accesses = reported.at("accesses");
        for (std::size_t i = 0; i < accesses.size(); ++i) {
            const std::size_t before = (i + accesses.size() - 1) % accesses.size();
            const std::uint32_t wanted = event_of(accesses[before]).target();
            result.steps[i].since = places_.frames(taken_before(event_of(accesses[i]), wanted));
        }
    }

    const Trace& trace_;
    ProgramPlaces places_;
};

std::string frames_text(const std::vector<SourceFrame>& frames) {
    std::vector<std::string> texts;
    for (const SourceFrame& frame : frames) texts.push_back(fmt::format("{}:{}", frame.function, frame.line));
    return fmt::format("{}", fmt::join(texts, " < "));
}

} // namespace

std::string text_of(const ReportedFinding& finding) {
    std::string text =
        fmt::format("{} {} {} {}\n", finding.kind, finding.pattern, finding.variable, finding.verdict);
    for (const ReportedStep& step : finding.steps) {
        text += fmt::format("    {} {} {}", step.thread, step.operation, frames_text(step.frames));
        if (!step.asks_for.empty()) text += fmt::format(" asks for {}", step.asks_for);
        for (const ReportedLock& lock : step.holding)
            text += fmt::format(", holding {}{}", lock.name, lock.shared ? " (shared)" : "");
        if (!step.since.empty()) text += fmt::format(" since {}", frames_text(step.since));
        text += "\n";
    }
    return text;
}

Report report_on(const std::string& program, const std::string& source) {
    const TemporaryFolder folder;
    const std::string path = folder.file("trace.htr");
    if (!record_clean_run(program, path)) return {};
    const Ran info = run_program({HEDDLE_PROGRAM, "info", "--no-symbols", path});
    EXPECT_EQ(info.status, 0) << info.out << info.err;
    const Ran analyzed = run_program({HEDDLE_PROGRAM, "analyze", "--format", "json", path});
    EXPECT_LE(analyzed.status, 1) << analyzed.err;
    const json result = json::parse(analyzed.out);
    EXPECT_TRUE(result.at("limits_reached").empty());
    const auto loaded = load_trace(path);
    if (!loaded) {
        ADD_FAILURE() << loaded.error().message;
        return {};
    }
    Reporter reporter(loaded->trace, source);
    Report report{.threads = reporter.threads(), .findings = {}};
    for (const json& finding : result.at("findings")) report.findings.push_back(reporter.finding(finding));
    return report;
}

} // namespace heddle::test
