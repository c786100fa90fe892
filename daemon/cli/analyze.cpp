// heddle analyze: what other schedules of a recorded run could hit.
#include "analysis/analyze.h"

#include "daemon/cli/command.h"
#include "daemon/cli/finding_report.h"
#include "daemon/cli/output.h"
#include "daemon/cli/progress_bar.h"
#include "traces/load.h"

#include <algorithm>
#include <memory>
#include <string>
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
    bool stats = false;
};

ExitStatus run_analyze(const AnalyzeFlags& flags) {
    const auto wants = [&](std::string_view name) {
        return std::find(flags.properties.begin(), flags.properties.end(), name) != flags.properties.end();
    };
    const AnalyzeOptions options{
        .races = wants("race"), .atomicity = wants("atomicity"), .deadlocks = wants("deadlock")};
    Output out;
    nlohmann::json all = nlohmann::json::array();
    ExitStatus status = ExitStatus::fine;
    for (const std::string& path : flags.files) {
        const auto loaded = with_progress("reading " + path, [&](const Progress& progress) {
            return load_trace(path, {.progress = progress});
        });
        if (!loaded) {
            print_error(loaded.error().message);
            if (flags.format == "json") all.push_back({{"file", path}, {"error", loaded.error().message}});
            status = ExitStatus::error;
            continue;
        }
        print_notes(loaded->notes);
        print_damage(loaded->damage);
        const Analysis analysis = analyze(loaded->trace, options);
        const bool found =
            std::any_of(analysis.findings.begin(), analysis.findings.end(),
                        [](const Finding& one) { return std::holds_alternative<Possible>(one.verdict); });
        if (found || !loaded->damage.empty()) status = std::max(status, ExitStatus::damage);
        const ReportOptions report{.show_refuted = flags.show_refuted, .stats = flags.stats};
        if (flags.format == "json") {
            all.push_back(findings_json(path, loaded->trace, analysis, report));
        } else {
            out.put(findings_text(path, loaded->trace, analysis, report));
        }
    }
    if (flags.format == "json") {
        out.line(
            (all.size() == 1 ? all[0] : all).dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
    }
    return out.finish() ? status : ExitStatus::error;
}

} // namespace

Command add_analyze(CLI::App& app) {
    auto flags = std::make_shared<AnalyzeFlags>();
    CLI::App* command = app.add_subcommand(
        "analyze",
        "Tell which races, atomicity violations and deadlocks another schedule of a recorded run could hit");
    command->add_option("FILE", flags->files, "Trace files")->required();
    command->add_option("--properties", flags->properties, "What to look for: race, atomicity, deadlock")
        ->delimiter(',')
        ->check(CLI::IsMember({"race", "atomicity", "deadlock"}))
        ->default_str("race,atomicity,deadlock");
    command->add_option("--format", flags->format, "text or json")->check(CLI::IsMember({"text", "json"}));
    command->add_flag("--show-refuted", flags->show_refuted, "Also tell what cannot happen, and why");
    command->add_flag("--stats", flags->stats, "How many candidates each filter left");
    return [flags] { return run_analyze(*flags); };
}

} // namespace heddle::cli
