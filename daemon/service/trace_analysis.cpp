#include "daemon/service/trace_analysis.h"

#include "daemon/cli/output.h"
#include "daemon/report/make_report.h"
#include "daemon/settings/path_mappings.h"
#include "daemon/settings/text_file.h"
#include "traces/htr/layout.h"
#include "traces/io/random_access.h"
#include "traces/load.h"
#include "traces/rules.h"

#include <algorithm>
#include <array>
#include <atomic>
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
constexpr std::chrono::milliseconds kPatience{30}; ///< of a person who waits for schedules and sees nothing
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
    std::string text = fmt::format("{}{}{}{} {} {}", options.races, options.atomicity, options.deadlocks,
                                   options.witnesses, options.witness_budget.steps, max_findings);
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

/// First what is possible, which is known soon; then the schedules.
void TraceAnalysis::analyse(const Trace& trace, const Progress& progress, const Interim& interim) {
    analyzer_->look_for_witnesses(false);
    analyzer_->extend(trace, part(progress, kReading, kPossible));
    if (!settings_.options.witnesses) return;
    const Analysis possible = analyzer_->analysis();
    const auto started = std::chrono::steady_clock::now();
    std::atomic<bool> told = possible.findings.empty() || !interim; // any thread of the analysis may ask
    const Progress witnesses = part(progress, kPossible, kParts);
    analyzer_->look_for_witnesses(true);
    analyzer_->extend(trace, [&](std::uint64_t done, std::uint64_t total) {
        if (!told && std::chrono::steady_clock::now() - started > kPatience && !told.exchange(true)) {
            report::TraceReport report = quick_report_of(trace, possible);
            for (report::ReportedFinding& finding : report.findings)
                finding.why = "a schedule that leads there is being looked for";
            interim(std::move(report));
        }
        return witnesses(done, total);
    });
}

report::TraceReport TraceAnalysis::quick_report_of(const Trace& trace, const Analysis& analysis) const {
    report::SourceExpressions none(
        [this](std::string_view path) { return settings::mapped_path(path, settings_.path_mappings); }, {});
    return report::make_report(trace, analysis, settings_.max_findings, none);
}

report::TraceReport TraceAnalysis::report_of(const Trace& trace, const Analysis& analysis,
                                             const Interim& interim) const {
    const auto started = std::chrono::steady_clock::now();
    bool told = analysis.findings.empty() || !interim;
    report::SourceExpressions expressions(
        [this](std::string_view path) { return settings::mapped_path(path, settings_.path_mappings); },
        [&](const std::string& file) {
            if (!told && std::chrono::steady_clock::now() - started > kPatience) {
                told = true;
                interim(quick_report_of(trace, analysis));
            }
            const auto path = std::filesystem::path(settings_.root) / file;
            auto text = settings::read_text_file(path.string(), kMaxSource);
            return text ? *text : std::nullopt;
        },
        settings_.memo);
    return report::make_report(trace, analysis, settings_.max_findings, expressions);
}

Result<report::TraceReport> TraceAnalysis::advance(bool last, const Progress& progress,
                                                   const Interim& interim) {
    const Progress always = progress ? progress : [](std::uint64_t, std::uint64_t) { return true; };
    auto run = take(last, part(always, 0, kReading));
    if (!run) return tl::make_unexpected(run.error());
    SharedSymbols::Told told = symbols_.tell(run->trace);
    // What was left out may be another event next time: then there is nothing to extend.
    if (!analyzer_ || !run->whole) analyzer_ = std::make_unique<Analyzer>(settings_.options);
    if (last || analyzer_->worth_extending(told.trace.size())) analyse(told.trace, always, interim);
    report::TraceReport report = report_of(told.trace, analyzer_->analysis(), interim);
    report.complete = run->complete;
    tell_damage(run->damage, report.notes);
    report.notes.insert(report.notes.end(), told.notes.begin(), told.notes.end());
    if (report.notes.size() > kMaxNotes) report.notes.resize(kMaxNotes);
    return report;
}

} // namespace heddle::service
