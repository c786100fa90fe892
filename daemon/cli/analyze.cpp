// heddle analyze: what other schedules of a recorded run could hit.
#include "analysis/analyze.h"

#include "daemon/cli/analysis_run.h"
#include "daemon/cli/analysis_stats.h"
#include "daemon/cli/baseline.h"
#include "daemon/cli/command.h"
#include "daemon/cli/finding_text.h"
#include "daemon/cli/output.h"
#include "daemon/cli/suppressing.h"
#include "daemon/report/display_width.h"
#include "daemon/report/finding_json.h"
#include "daemon/report/html_page.h"
#include "daemon/report/sarif.h"
#include "daemon/report/source_expressions.h"
#include "daemon/settings/text_file.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::cli {

namespace {

struct AnalyzeFlags {
    std::vector<std::string> files;
    AnalysisFlags analysis;
    SuppressionFlags suppressions;
    std::string format = "text";
    std::string baseline; ///< a file; empty: none

    /// One document for all files, made of the JSON of each.
    [[nodiscard]] bool one_document() const { return format != "text"; }
};

nlohmann::json error_json(const std::string& path, const std::string& message) {
    return {{"version", report::kFindingsVersion}, {"file", path}, {"error", message}};
}

nlohmann::json report_json(const std::string& path, const AnalysedTrace& analysed, const AnalyzeFlags& flags,
                           const report::Suppressed& suppressed, report::SourceExpressions& expressions) {
    const Trace& trace = analysed.loaded.trace;
    const report::JsonOptions options{.show_refuted = flags.analysis.show_refuted,
                                      .suppressed = suppressed,
                                      // SARIF has a place for them.
                                      .show_suppressed = flags.suppressions.show || flags.format == "sarif",
                                      .expressions = &expressions};
    return {{"version", report::kFindingsVersion},
            {"file", path},
            {"command", trace.metadata().command},
            {"events", trace.size()},
            {"findings", report::findings_json(trace, analysed.analysis, options)},
            {"suppressed", suppressed.count(analysed.analysis)},
            {"limits_reached", analysed.analysis.limits_reached},
            {"stats", stats_json(trace, analysed.analysis, analysed.times)}};
}

void report_text(const std::string& path, const AnalysedTrace& analysed, const AnalyzeFlags& flags,
                 const report::Suppressed& suppressed, Output& out) {
    const Trace& trace = analysed.loaded.trace;
    const TextOptions options{.show_refuted = flags.analysis.show_refuted,
                              .witnesses = !flags.analysis.no_witness,
                              .width = report::output_width(),
                              .suppressed = suppressed,
                              .show_suppressed = flags.suppressions.show};
    out.put(findings_text(trace, analysed.analysis, options));
    if (flags.analysis.time_kinds) out.put(stats_text(trace, analysed.analysis, analysed.times));
    if (flags.files.size() != 1) out.put(path + ": ");
    out.put(summary_text(trace, analysed.analysis, options, analysed.times.all));
}

/// What is printed for all files together.
std::string document(const std::string& format, bool one_file, const nlohmann::json& reports) {
    const auto text = [](const nlohmann::json& json) {
        return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
    };
    if (format == "html") return report::html_page(reports);
    if (format == "sarif") return text(report::sarif(reports, HEDDLE_VERSION));
    return text(one_file ? reports[0] : reports);
}

/// What is not known to be fine is not fine, unless nobody wants to know.
bool all_fine(const Analysis& analysis, const report::Suppressed& suppressed) {
    for (std::size_t i = 0; i < analysis.findings.size(); ++i) {
        if (!std::holds_alternative<Refuted>(analysis.findings[i].verdict) && !suppressed.is(i)) return false;
    }
    return true;
}

std::optional<std::string> source_text(const std::string& file) {
    constexpr std::size_t kMaxSource = 16U << 20U;
    return settings::read_text_file(file, kMaxSource).value_or(std::nullopt);
}

/// What all files have in common.
struct Session {
    const AnalyzeFlags& flags;
    SuppressionFile suppressions;
    Baseline baseline;
    Loading loading;
    Budget budget;
    Output out;
    nlohmann::json all = nlohmann::json::array();
    report::SourceExpressions expressions{nullptr, source_text};
};

/// Analyses one file; its findings go to the output at once, or into the JSON for all files.
ExitStatus analyze_one(const std::string& path, Session& session) {
    const AnalyzeFlags& flags = session.flags;
    const auto analysed = analyse_file(path, flags.analysis, session.loading, session.budget);
    if (!analysed) {
        print_error(analysed.error().message);
        if (flags.one_document()) session.all.push_back(error_json(path, analysed.error().message));
        return ExitStatus::error;
    }
    const Analysis& analysis = analysed->analysis;
    const Trace& trace = analysed->loaded.trace;
    const report::Suppressed suppressed =
        session.baseline.and_known(trace, analysis, session.suppressions.of(trace, analysis));
    if (flags.one_document()) {
        session.all.push_back(report_json(path, *analysed, flags, suppressed, session.expressions));
    } else {
        report_text(path, *analysed, flags, suppressed, session.out);
    }
    const bool all_looked_at = analysis.limits_reached.empty() && analysed->loaded.damage.empty();
    return all_fine(analysis, suppressed) && all_looked_at ? ExitStatus::fine : ExitStatus::damage;
}

ExitStatus run_analyze(const AnalyzeFlags& flags) {
    const std::vector<std::string> files = flags.files.empty() ? recordings() : flags.files;
    if (files.empty()) {
        print_error(fmt::format("no trace was named, and there is none in {}", kRecordings));
        return ExitStatus::error;
    }
    Result<SuppressionFile> suppressions = SuppressionFile::load(flags.suppressions);
    if (!suppressions) {
        print_error(suppressions.error().message);
        return ExitStatus::error;
    }
    Result<Baseline> baseline = Baseline::load(flags.baseline);
    if (!baseline) {
        print_error(baseline.error().message);
        return ExitStatus::error;
    }
    Session session{.flags = flags,
                    .suppressions = std::move(*suppressions),
                    .baseline = std::move(*baseline),
                    .loading = Loading(flags.analysis.symbols),
                    .budget = Budget(flags.analysis.limits),
                    .out{}};
    ExitStatus status = ExitStatus::fine;
    for (const std::string& path : files) {
        if (const std::string stopped = session.budget.stopped(); !stopped.empty()) {
            print_error(fmt::format("{}: not analysed: {}", path, stopped));
            session.all.push_back(error_json(path, "not analysed: " + stopped));
            status = ExitStatus::error;
            continue;
        }
        status = std::max(status, analyze_one(path, session));
    }
    if (flags.one_document()) session.out.line(document(flags.format, files.size() == 1, session.all));
    return session.out.finish() ? status : ExitStatus::error;
}

} // namespace

Command add_analyze(CLI::App& app) {
    auto flags = std::make_shared<AnalyzeFlags>();
    CLI::App* command = app.add_subcommand(
        "analyze",
        "Tell which races, atomicity violations and deadlocks another schedule of a recorded run could hit");
    command->add_option("FILE", flags->files,
                        fmt::format("Trace files; those in {} when none is named", kRecordings));
    command->add_option("--format", flags->format, "text, json, sarif, or html: one page for a browser")
        ->check(CLI::IsMember({"text", "json", "sarif", "html"}));
    command->add_option("--baseline", flags->baseline,
                        "What was printed earlier as json or sarif: only what is new is told");
    command->add_flag("--no-witness", flags->analysis.no_witness,
                      "Stop before the search for schedules that lead to the findings");
    command->add_flag("--all", flags->analysis.all_ways,
                      "Also tell all ways to reach a finding: threads, locks and points of the run");
    command->add_flag("--show-refuted", flags->analysis.show_refuted,
                      "Also tell what cannot happen, and why");
    command->add_flag("--stats", flags->analysis.time_kinds,
                      "How many candidates each filter left, how many have witnesses, and how long it took");
    add_suppression_options(*command, flags->suppressions);
    add_analysis_options(*command, flags->analysis);
    return [flags] { return run_analyze(*flags); };
}

} // namespace heddle::cli
