// heddle analyze: what other schedules of a recorded run could hit.
#include "analysis/analyze.h"

#include "daemon/cli/budget.h"
#include "daemon/cli/command.h"
#include "daemon/cli/finding_report.h"
#include "daemon/cli/output.h"
#include "daemon/cli/progress_bar.h"
#include "daemon/cli/threads.h"
#include "traces/load.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::cli {

namespace {

struct AnalyzeFlags {
    std::vector<std::string> files;
    std::vector<std::string> properties = {"race", "atomicity", "deadlock"};
    std::string format = "text";
    bool show_refuted = false;
    bool all_ways = false;
    bool stats = false;
    std::size_t jobs = 0;
    std::size_t max_findings = AnalyzeOptions{}.max_findings;
    Budget::Limits limits;
};

constexpr const char* kRecordings = ".heddle/traces";

/// What `heddle record` left here.
std::vector<std::string> recordings() {
    std::vector<std::string> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(kRecordings, error)) {
        if (entry.path().extension() == ".htr") files.push_back(entry.path().string());
    }
    std::ranges::sort(files);
    return files;
}

AnalyzeOptions options_of(const AnalyzeFlags& flags) {
    const auto wants = [&](std::string_view name) {
        return std::ranges::find(flags.properties, name) != flags.properties.end();
    };
    return {.races = wants("race"),
            .atomicity = wants("atomicity"),
            .deadlocks = wants("deadlock"),
            .transactions = {},
            .all_ways = flags.all_ways,
            .refuted = flags.show_refuted,
            .max_findings = flags.max_findings,
            .workers = threads(flags.jobs)};
}

/// Analyses one file; its findings go to the output at once, or into the JSON for all files.
ExitStatus analyze_file(const std::string& path, const AnalyzeFlags& flags, Budget& budget, Output& out,
                        nlohmann::json& all) {
    const auto loaded = with_progress("reading " + path, [&](const Progress& progress) {
        return load_trace(path, {.progress = budget.progress(progress)});
    });
    if (!loaded) {
        print_error(loaded.error().message);
        if (flags.format == "json")
            all.push_back({{"version", 1}, {"file", path}, {"error", loaded.error().message}});
        return ExitStatus::error;
    }
    print_notes(loaded->notes);
    print_damage(loaded->damage);
    const auto started = std::chrono::steady_clock::now();
    Analysis analysis = with_progress("analysing " + path, [&](const Progress& progress) {
        return analyze(loaded->trace, options_of(flags), budget.progress(progress));
    });
    static_cast<void>(budget.progress({})(1, 1)); // was it interrupted since it was asked last?
    if (!budget.stopped().empty()) analysis.limits_reached.push_back(budget.stopped());
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
    const ReportOptions report{
        .show_refuted = flags.show_refuted, .stats = flags.stats, .seconds = seconds.count()};
    if (flags.format == "json") {
        all.push_back(findings_json(path, loaded->trace, analysis, report));
    } else {
        out.put(findings_text(path, loaded->trace, analysis, report));
    }
    // What is not known to be fine is not fine.
    const bool fine = std::ranges::all_of(
        analysis.findings, [](const Finding& one) { return std::holds_alternative<Refuted>(one.verdict); });
    const bool all_looked_at = analysis.limits_reached.empty() && loaded->damage.empty();
    return fine && all_looked_at ? ExitStatus::fine : ExitStatus::damage;
}

ExitStatus run_analyze(const AnalyzeFlags& flags) {
    const std::vector<std::string> files = flags.files.empty() ? recordings() : flags.files;
    if (files.empty()) {
        print_error(fmt::format("no trace was named, and there is none in {}", kRecordings));
        return ExitStatus::error;
    }
    Budget budget(flags.limits);
    Output out;
    nlohmann::json all = nlohmann::json::array();
    ExitStatus status = ExitStatus::fine;
    for (const std::string& path : files) {
        if (!budget.stopped().empty()) {
            print_error(fmt::format("{}: not analysed: {}", path, budget.stopped()));
            all.push_back({{"version", 1}, {"file", path}, {"error", "not analysed: " + budget.stopped()}});
            status = ExitStatus::error;
            continue;
        }
        status = std::max(status, analyze_file(path, flags, budget, out, all));
    }
    if (flags.format == "json") {
        out.line(
            (files.size() == 1 ? all[0] : all).dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
    }
    return out.finish() ? status : ExitStatus::error;
}

} // namespace

Command add_analyze(CLI::App& app) {
    auto flags = std::make_shared<AnalyzeFlags>();
    CLI::App* command = app.add_subcommand(
        "analyze",
        "Tell which races, atomicity violations and deadlocks another schedule of a recorded run could hit");
    command->add_option("FILE", flags->files,
                        fmt::format("Trace files; those in {} when none is named", kRecordings));
    command->add_option("--properties", flags->properties, "What to look for: race, atomicity, deadlock")
        ->delimiter(',')
        ->allow_extra_args(false) // what follows is a file
        ->check(CLI::IsMember({"race", "atomicity", "deadlock"}))
        ->default_str("race,atomicity,deadlock");
    command->add_option("--format", flags->format, "text or json")->check(CLI::IsMember({"text", "json"}));
    command->add_flag("--all", flags->all_ways,
                      "Also tell all ways to reach a finding: threads, locks and points of the run");
    command->add_flag("--show-refuted", flags->show_refuted, "Also tell what cannot happen, and why");
    command->add_flag("--stats", flags->stats, "How many candidates each filter left, and how long it took");
    command->add_option("--max-findings", flags->max_findings, "How many of a kind to look at")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    command->add_option("-j,--jobs", flags->jobs, "Threads to use; as many as there are processors when 0")
        ->default_val(0)
        ->check(CLI::Range(0, 256));
    command
        ->add_option("--time-limit", flags->limits.seconds,
                     "Stop after so many seconds and tell what is known by then")
        ->check(CLI::PositiveNumber);
    command
        ->add_option("--memory-limit", flags->limits.mebibytes,
                     "Stop at so many MiB of memory and tell what is known by then")
        ->check(CLI::PositiveNumber);
    return [flags] { return run_analyze(*flags); };
}

} // namespace heddle::cli
