// heddle witness: the schedule that leads to one finding.
#include "daemon/cli/analysis_run.h"
#include "daemon/cli/command.h"
#include "daemon/cli/finding_text.h"
#include "daemon/cli/output.h"
#include "daemon/report/display_width.h"
#include "daemon/report/finding_json.h"
#include "daemon/report/finding_words.h"
#include "daemon/report/story_json.h"
#include "daemon/report/story_markdown.h"
#include "daemon/report/story_text.h"

#include <charconv>
#include <memory>
#include <string>
#include <vector>

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

Result<std::size_t> number_of(const std::string& word) {
    if (word.empty()) return fail("of which finding? heddle witness TRACE ID; heddle analyze tells the ids");
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error == std::errc{} && end == word.data() + word.size()) return number;
    return fail(fmt::format("'{}' is not the id of a finding; heddle analyze tells them", word));
}

Result<std::string> only_recording() {
    const std::vector<std::string> files = recordings();
    if (files.size() == 1) return files[0];
    if (files.empty()) return fail(fmt::format("no trace was named, and there is none in {}", kRecordings));
    return fail(fmt::format("which trace? {} has {}", kRecordings, fmt::join(files, ", ")));
}

/// The finding with that number, which must have a witness.
Result<std::size_t> find(const std::string& path, const Analysis& analysis, std::size_t number) {
    const std::vector<std::size_t> numbers = report::finding_numbers(analysis);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (numbers[i] != number) continue;
        const Verdict& verdict = analysis.findings[i].verdict;
        if (std::holds_alternative<Witnessed>(verdict)) return i;
        return fail(fmt::format("finding {} of {} is {} and has no witness: {}", number, path,
                                report::verdict_name(verdict), report::reason(verdict)));
    }
    if (numbers.empty()) return fail(fmt::format("{} has no findings", path));
    return fail(fmt::format("{} has no finding {}; there {}", path, number,
                            numbers.size() == 1 ? "is only 1" : fmt::format("are 1 to {}", numbers.size())));
}

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
                    std::size_t number, const Story& story, const WitnessFlags& flags) {
    nlohmann::json json = report::finding_json(pasts, finding, number, {.every_step = flags.full});
    json["version"] = report::kFindingsVersion;
    json["file"] = path;
    if (flags.observed) json["witness"]["observed"] = report::story_json(pasts.trace(), story);
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

ExitStatus run_witness(const WitnessFlags& flags) {
    const auto stop = [](const Error& error) {
        print_error(error.message);
        return ExitStatus::error;
    };
    const auto number = number_of(flags.id.empty() ? flags.trace : flags.id);
    if (!number) return stop(number.error());
    const auto path = flags.id.empty() ? only_recording() : Result<std::string>(flags.trace);
    if (!path) return stop(path.error());
    Budget budget(flags.analysis.limits);
    Loading loading(flags.analysis.symbols);
    const auto analysed = analyse_file(*path, flags.analysis, loading, budget);
    if (!analysed) return stop(analysed.error());
    print_notes(analysed->analysis.limits_reached);
    const auto found = find(*path, analysed->analysis, *number);
    if (!found) return stop(found.error());

    const Finding& finding = analysed->analysis.findings[*found];
    const ThreadPasts pasts(analysed->loaded.trace);
    Story story = tell(pasts, finding.property, std::get<Witnessed>(finding.verdict).schedule,
                       {.every_step = flags.full});
    if (flags.observed) story = as_recorded(pasts, story);
    Output out;
    if (flags.format == "json") {
        out.put(in_json(*path, pasts, finding, *number, story, flags));
    } else if (flags.format == "markdown") {
        out.put(in_markdown(pasts.trace(), finding, story, flags));
    } else {
        out.put(in_text(pasts.trace(), finding, *number, story, flags));
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
