#include "daemon/service/trace_analysis.h"

#include "daemon/cli/output.h"
#include "daemon/report/make_report.h"
#include "daemon/service/late_word.h"
#include "daemon/settings/path_mappings.h"
#include "daemon/settings/text_file.h"
#include "traces/htr/layout.h"
#include "traces/io/random_access.h"
#include "traces/load.h"
#include "traces/rules.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace heddle::service {

namespace {

constexpr std::uint64_t kParts = 1000; ///< of the whole work
constexpr std::uint64_t kReading = 200;
constexpr std::uint64_t kPossible = 400;
/// Of a run that is analysed once without its sources, so that something is known before they are read.
constexpr std::size_t kSmallRun = 2'000'000;
constexpr std::chrono::milliseconds kPatience{20}; ///< of a person who waits for schedules and sees nothing
constexpr std::size_t kMaxNotes = 20;              ///< of one trace
constexpr std::size_t kMaxSource = std::size_t{8} << 20U; ///< of a file somebody wrote

/// Tells progress of one part of the work as progress of the whole.
Progress part(const Progress& whole, std::uint64_t from, std::uint64_t to) {
    if (!whole) return {};
    return [&whole, from, to](std::uint64_t done, std::uint64_t total) {
        const std::uint64_t within = total == 0 ? 0 : (to - from) * std::min(done, total) / total;
        return whole(from + within, kParts);
    };
}

bool is_native(const std::string& path) {
    const auto file = open_file(path);
    if (!file) return false;
    std::array<std::uint8_t, htr::kFileMagic.size()> start{};
    const auto got = (*file)->read_at(0, start);
    return got && *got == start.size() && std::equal(start.begin(), start.end(), htr::kFileMagic.begin());
}

void tell_damage(const DamageLog& damage, std::vector<std::string>& notes) {
    for (const Damage& one : damage.kept()) notes.push_back(one.text());
    if (damage.total() > damage.kept().size())
        notes.push_back(fmt::format("{} more problems", damage.total() - damage.kept().size()));
}

} // namespace

std::string AnalysisSettings::key() const {
    std::string text = fmt::format("{}{}{}{}{} {} {}", options.races, options.atomicity, options.deadlocks,
                                   options.witnesses, infer, options.witness_budget.steps, max_findings);
    for (const settings::PathMapping& mapping : path_mappings)
        text += fmt::format(" {}>{}", mapping.from, mapping.to);
    return text;
}

TraceAnalysis::TraceAnalysis(std::string path, AnalysisSettings settings, SharedSymbols& symbols)
    : path_(std::move(path)), settings_(std::move(settings)), symbols_(symbols) {}

/// Opens the file, if need be, and takes what is there.
Result<htr::Reader::State> TraceAnalysis::read_more() {
    if (!reader_) {
        const Progress progress = [this](std::uint64_t done, std::uint64_t total) {
            return reading_(done, total);
        };
        auto opened = htr::Reader::open(path_, {.limits = {}, .progress = progress});
        if (!opened) return tl::make_unexpected(opened.error());
        reader_ = std::move(*opened);
    }
    return reader_->poll();
}

Result<TraceAnalysis::Run> TraceAnalysis::take_live(bool last, const Progress& progress) {
    reading_ = progress;
    auto state = read_more();
    if (state && *state == htr::Reader::State::replaced) {
        // Events of before have changed: nothing of what is known of them holds.
        reader_.reset();
        analyzer_.reset();
        state = read_more();
    }
    if (!state) return tl::make_unexpected(state.error());
    if (last) reader_->finish();
    Run run{.trace = reader_->trace(),
            .damage = reader_->damage(),
            .complete = *state == htr::Reader::State::closed};
    const RuleReport rules = check_rules(run.trace);
    for (const RuleBreak& broken : rules.kept) {
        run.damage.add(
            {DamageKind::rule, fmt::format("{}: event {}", path_, broken.event.value), broken.what});
    }
    run.whole = rules.clean();
    run.trace = without_broken(run.trace, rules);
    return run;
}

Result<TraceAnalysis::Run> TraceAnalysis::take(bool last, const Progress& progress) {
    if (reader_ || is_native(path_)) return take_live(last, progress);
    auto loaded = load_trace(path_, {.limits = {}, .progress = progress});
    if (!loaded) return tl::make_unexpected(loaded.error());
    return Run{.trace = std::move(loaded->trace),
               .damage = std::move(loaded->damage),
               .complete = true,
               .whole = false};
}

/// First what is possible, which is known soon; then the schedules. Tells whether what is possible was told.
bool TraceAnalysis::analyse(const Trace& trace, const Waiting& waiting, const Progress& progress) {
    if (!settings_.options.witnesses || trace.size() > kSmallRun || sources_) read_sources(trace);
    analyzer_->look_for_witnesses(false);
    analyzer_->extend(trace, part(progress, kReading, kPossible));
    if (!settings_.options.witnesses) return false;
    const Analysis possible = analyzer_->analysis();
    const auto tell_possible = [&] {
        if (possible.findings.empty() || !waiting.interim) return;
        report::TraceReport report = quick_report_of(trace, possible);
        for (report::ReportedFinding& finding : report.findings)
            finding.why = "a schedule that leads there is being looked for";
        waiting.interim(std::move(report));
    };
    LateWord late(waiting.since + kPatience, tell_possible);
    read_sources(trace);
    analyzer_->look_for_witnesses(true);
    analyzer_->extend(trace, part(progress, kPossible, kParts));
    return late.withdraw();
}

/// Reads what the run's new places need. The analyzer starts over when they first say something.
void TraceAnalysis::read_sources(const Trace& trace) {
    if (!settings_.options.atomicity) return;
    if (!sources_) {
        sources_ = std::make_unique<report::SourceTransactions>(
            settings_.root,
            [this](std::string_view path) { return settings::mapped_path(path, settings_.path_mappings); },
            settings_.infer, settings_.memo);
    }
    sources_->extend(trace);
    if (!sources_used_ && !sources_->blocks()->empty()) {
        analyzer_->use(sources_->blocks());
        sources_used_ = true;
    }
}

report::TraceReport TraceAnalysis::quick_report_of(const Trace& trace, const Analysis& analysis) const {
    report::SourceExpressions none(
        [this](std::string_view path) { return settings::mapped_path(path, settings_.path_mappings); }, {});
    return report::make_report(trace, analysis, settings_.max_findings, none);
}

report::TraceReport TraceAnalysis::report_of(const Trace& trace, const Analysis& analysis,
                                             const Waiting& waiting) const {
    LateWord late(waiting.since + kPatience, [&] {
        if (!analysis.findings.empty() && waiting.interim) waiting.interim(quick_report_of(trace, analysis));
    });
    report::SourceExpressions expressions(
        [this](std::string_view path) { return settings::mapped_path(path, settings_.path_mappings); },
        [this](const std::string& file) {
            const auto path = std::filesystem::path(settings_.root) / file;
            auto text = settings::read_text_file(path.string(), kMaxSource);
            return text ? *text : std::nullopt;
        },
        settings_.memo);
    report::TraceReport report = report::make_report(trace, analysis, settings_.max_findings, expressions);
    late.withdraw();
    return report;
}

Result<report::TraceReport> TraceAnalysis::advance(bool last, const Progress& progress,
                                                   const Interim& interim) {
    const Progress always = progress ? progress : [](std::uint64_t, std::uint64_t) { return true; };
    Waiting waiting{.interim = interim, .since = LateWord::Clock::now()};
    auto run = take(last, part(always, 0, kReading));
    if (!run) return tl::make_unexpected(run.error());
    SharedSymbols::Told told = symbols_.tell(run->trace);
    // What was left out may be another event next time: then there is nothing to extend.
    if (!analyzer_ || !run->whole) {
        analyzer_ = std::make_unique<Analyzer>(settings_.options);
        sources_.reset();
        sources_used_ = false;
    }
    const bool worth_it = last || analyzer_->worth_extending(told.trace.size());
    if (worth_it && analyse(told.trace, waiting, always)) waiting.since = LateWord::Clock::now();
    report::TraceReport report = report_of(told.trace, analyzer_->analysis(), waiting);
    report.complete = run->complete;
    tell_damage(run->damage, report.notes);
    report.notes.insert(report.notes.end(), told.notes.begin(), told.notes.end());
    if (report.notes.size() > kMaxNotes) report.notes.resize(kMaxNotes);
    return report;
}

} // namespace heddle::service
