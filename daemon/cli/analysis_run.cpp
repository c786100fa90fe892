#include "daemon/cli/analysis_run.h"

#include "daemon/cli/output.h"
#include "daemon/cli/progress_bar.h"
#include "daemon/cli/threads.h"
#include "daemon/cli/witness_budget.h"
#include "daemon/replay/results.h"
#include "daemon/report/source_transactions.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include <CLI/CLI.hpp>

namespace heddle::cli {

namespace {

AnalyzeOptions options_of(const AnalysisFlags& flags) {
    const auto wants = [&](std::string_view name) {
        return std::ranges::find(flags.properties, name) != flags.properties.end();
    };
    return {.races = wants("race"),
            .atomicity = wants("atomicity"),
            .deadlocks = wants("deadlock"),
            .transactions = {},
            .source = nullptr,
            .all_ways = flags.all_ways,
            .refuted = flags.show_refuted,
            .count_refuted = flags.time_kinds,
            .witnesses = !flags.no_witness,
            .witness_budget = witness_budget(flags.witness_budget),
            .max_findings = flags.max_findings,
            .workers = threads(flags.jobs)};
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Analyses each kind that is asked for once more, alone.
std::array<double, kFindingKinds> times_of_kinds(const Trace& trace, const AnalyzeOptions& options,
                                                 const Progress& progress) {
    std::array<double, kFindingKinds> seconds{};
    for (std::size_t kind = 0; kind < kFindingKinds; ++kind) {
        AnalyzeOptions alone = options;
        alone.count_refuted = false;
        alone.races = options.races && kind == static_cast<std::size_t>(FindingKind::race);
        alone.atomicity = options.atomicity && kind == static_cast<std::size_t>(FindingKind::atomicity);
        alone.deadlocks = options.deadlocks && kind == static_cast<std::size_t>(FindingKind::deadlock);
        if (!alone.races && !alone.atomicity && !alone.deadlocks) continue;
        const auto started = std::chrono::steady_clock::now();
        static_cast<void>(analyze(trace, alone, progress));
        seconds[kind] = seconds_since(started);
    }
    return seconds;
}

} // namespace

void add_analysis_options(CLI::App& command, AnalysisFlags& flags) {
    command.add_option("--properties", flags.properties, "What to look for: race, atomicity, deadlock")
        ->delimiter(',')
        ->allow_extra_args(false) // what follows is a file
        ->check(CLI::IsMember({"race", "atomicity", "deadlock"}))
        ->default_str("race,atomicity,deadlock");
    command.add_flag("--no-inferred", flags.no_inferred,
                     "Take for atomic only what is marked so, not what the source looks like");
    command
        .add_option("--witness-budget", flags.witness_budget,
                    "How long to look for schedules, as a multiple of the usual")
        ->capture_default_str()
        ->check(CLI::Range(0.001, 1000.0));
    command.add_option("--max-findings", flags.max_findings, "How many of a kind to look at")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    command.add_option("-j,--jobs", flags.jobs, "Threads to use; as many as there are processors when 0")
        ->default_val(0)
        ->check(CLI::Range(0, 256));
    command
        .add_option("--time-limit", flags.limits.seconds,
                    "Stop after so many seconds and tell what is known by then")
        ->check(CLI::PositiveNumber);
    command
        .add_option(
            "--memory-limit", flags.limits.mebibytes,
            "Stop at so many MiB of memory and tell what is known by then; without it, at three fifths "
            "of what is free")
        ->check(CLI::PositiveNumber);
    add_symbol_options(command, flags.symbols);
}

std::vector<std::string> recordings() {
    std::vector<std::string> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(kRecordings, error)) {
        if (entry.path().extension() == ".htr") files.push_back(entry.path().string());
    }
    std::ranges::sort(files);
    return files;
}

Result<AnalysedTrace> analyse_file(const std::string& path, const AnalysisFlags& flags, Loading& loading,
                                   Budget& budget) {
    auto loaded = with_progress("reading " + path, [&](const Progress& progress) {
        return loading.load(path, {.progress = budget.reading(progress)});
    });
    if (!loaded) return tl::make_unexpected(loaded.error());
    print_notes(loaded->notes);
    print_damage(loaded->damage);
    AnalysedTrace result{.loaded = std::move(*loaded), .analysis = {}, .times = {}};
    AnalyzeOptions options = options_of(flags);
    if (options.atomicity) {
        report::SourceTransactions source({}, {}, !flags.no_inferred);
        source.extend(result.loaded.trace);
        if (!source.blocks()->empty()) options.source = source.blocks();
    }
    result.analysis = with_progress("analysing " + path, [&](const Progress& progress) {
        const auto started = std::chrono::steady_clock::now();
        Analysis analysis = analyze(result.loaded.trace, options, budget.progress(progress));
        result.times.all = seconds_since(started);
        if (flags.time_kinds)
            result.times.of_kind = times_of_kinds(result.loaded.trace, options, budget.progress(progress));
        return analysis;
    });
    static_cast<void>(budget.progress({})(1, 1)); // was it interrupted since it was asked last?
    replay::mark_confirmed(path, result.loaded.trace, result.analysis);
    if (!budget.left_out().empty()) result.analysis.limits_reached.push_back(budget.left_out());
    if (!budget.stopped().empty()) result.analysis.limits_reached.push_back(budget.stopped());
    return result;
}

} // namespace heddle::cli
