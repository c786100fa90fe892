// heddle witness: the schedule that leads to one finding.
#include "daemon/cli/analysis_run.h"
#include "daemon/cli/command.h"
#include "daemon/cli/finding_choice.h"
#include "daemon/cli/finding_text.h"
#include "daemon/cli/output.h"
#include "daemon/report/display_width.h"
#include "daemon/report/finding_json.h"
#include "daemon/report/finding_words.h"
#include "daemon/report/story_markdown.h"
#include "daemon/report/story_text.h"

#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::cli {

namespace {

struct WitnessFlags {
    std::string trace; ///< the number of the finding, when `id` is empty
    std::string id;
    AnalysisFlags analysis;
    std::string format = "text";
    bool observed = false;
    bool full = false;
};

std::string in_text(const Trace& trace, const Finding& finding, std::size_t number, const Story& story,
                    const WitnessFlags& flags) {
    return finding_text(trace, finding, number) +
           (flags.observed ? "   in the order of the recorded run:\n" : "") +
           report::story_text(trace, story, report::output_width());
}

std::string in_markdown(const Trace& trace, const Finding& finding, const Story& story,
                        const WitnessFlags& flags) {
    return fmt::format("**{}** at {}{}\n\n{}", report::markdown_text(report::headline(trace, finding)),
                       report::markdown_text(report::place_or_event(trace, finding.accesses[0].event)),
                       flags.observed ? ", in the order of the recorded run" : "",
                       report::story_markdown(trace, story));
}

std::string in_json(const std::string& path, const ThreadPasts& pasts, const Finding& finding,
                    std::size_t number, const WitnessFlags& flags) {
    nlohmann::json json = report::finding_json(pasts, finding, number, {.every_step = flags.full});
    json["version"] = report::kFindingsVersion;
    json["file"] = path;
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

ExitStatus run_witness(const WitnessFlags& flags) {
    const auto stop = [](const Error& error) {
        print_error(error.message);
        return ExitStatus::error;
    };
    const auto chosen = choose_finding(flags.trace, flags.id);
    if (!chosen) return stop(chosen.error());
    const std::string& path = chosen->trace;
    Budget budget(flags.analysis.limits);
    Loading loading(flags.analysis.symbols);
    const auto analysed = analyse_file(path, flags.analysis, loading, budget);
    if (!analysed) return stop(analysed.error());
    print_notes(analysed->analysis.limits_reached);
    const auto found = find_witnessed(path, analysed->analysis, chosen->number);
    if (!found) return stop(found.error());

    const Finding& finding = analysed->analysis.findings[*found];
    const ThreadPasts pasts(analysed->loaded.trace);
    Story story = tell(pasts, finding.property, std::get<Witnessed>(finding.verdict).schedule,
                       {.every_step = flags.full});
    if (flags.observed) story = as_recorded(pasts, story);
    Output out;
    if (flags.format == "json") {
        out.put(in_json(path, pasts, finding, chosen->number, flags));
    } else if (flags.format == "markdown") {
        out.put(in_markdown(pasts.trace(), finding, story, flags));
    } else {
        out.put(in_text(pasts.trace(), finding, chosen->number, story, flags));
    }
    return out.finish() ? ExitStatus::fine : ExitStatus::error;
}

} // namespace

Command add_witness(CLI::App& app) {
    auto flags = std::make_shared<WitnessFlags>();
    CLI::App* command =
        app.add_subcommand("witness", "Print the schedule that leads to a finding, step by step");
    command->add_option("TRACE", flags->trace,
                        fmt::format("Trace file; may be left out when {} has just one", kRecordings));
    command->add_option("ID", flags->id, "The finding's number in heddle analyze TRACE");
    command->add_option("--format", flags->format, "text, json or markdown")
        ->check(CLI::IsMember({"text", "json", "markdown"}));
    command->add_flag("--full", flags->full, "All steps, not only those that a person needs");
    command->add_flag("--observed", flags->observed, "The same steps as the recorded run took them");
    add_analysis_options(*command, flags->analysis);
    return [flags] { return run_witness(*flags); };
}

} // namespace heddle::cli
