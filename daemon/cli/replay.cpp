// heddle replay: runs the program on the schedule of a witness, and tells whether the bug is there.
#include "daemon/replay/replay.h"

#include "daemon/cli/analysis_run.h"
#include "daemon/cli/command.h"
#include "daemon/cli/debugger.h"
#include "daemon/cli/finding_choice.h"
#include "daemon/cli/output.h"
#include "daemon/cli/stop_signals.h"
#include "daemon/record/recorder_folder.h"
#include "daemon/replay/results.h"
#include "daemon/report/finding_words.h"
#include "daemon/report/make_report.h"
#include "traces/load.h"

#include <chrono>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle::cli {

namespace {

struct ReplayFlags {
    std::string id;
    std::string trace;
    std::string key;                  ///< instead of the id, which depends on what is analysed for
    std::vector<std::string> command; ///< after "--"
    std::string input;
    std::string recorder;
    std::string plan;
    std::string format = "text";
    unsigned attempts = 3;
    unsigned times = 1; ///< that the whole is done, to see how surely it is confirmed
    double timeout = 0;
    bool gdb = false;
    bool explore = false;
    bool quiet = false;
    AnalysisFlags analysis;
};

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

/// A file that heddle reads from can be given to every attempt anew; a terminal or a pipe cannot.
std::string input_of(const ReplayFlags& flags) {
    struct stat about {};
    if (!flags.input.empty() || fstat(STDIN_FILENO, &about) != 0 || !S_ISREG(about.st_mode))
        return flags.input;
    return fmt::format("/proc/{}/fd/0", getpid());
}

void tell(const ReplayFlags& flags, const std::string& line) {
    if (flags.format == "text" && !flags.quiet) print_note(line);
}

replay::ReplayRequest request_of(const ReplayFlags& flags, const Trace& recorded, const Trace& told,
                                 const Finding& finding, const std::string& recorder) {
    replay::ReplayRequest request{.recorded = &recorded,
                                  .told = &told,
                                  .property = finding.property,
                                  .schedule = std::get<Witnessed>(finding.verdict).schedule,
                                  .command = flags.command,
                                  .recorder = recorder,
                                  .input = input_of(flags),
                                  .quiet = flags.quiet || flags.format == "json",
                                  .keep_plan = flags.plan,
                                  .attempts = flags.attempts,
                                  .limit =
                                      std::chrono::milliseconds(static_cast<long long>(flags.timeout * 1000)),
                                  .explore = flags.explore,
                                  .stay = flags.gdb,
                                  .stop = {},
                                  .progress = {},
                                  .diverged = {},
                                  .standing = {}};
    request.stop = [] { return StopSignals::arrived(); };
    request.diverged = [&flags](const std::string& why) { tell(flags, "not confirmed: " + why); };
    if (flags.gdb) {
        request.standing = [&flags](const replay::Outcome& outcome) {
            offer_debugger(outcome, flags.timeout);
            return flags.timeout == 0; // who asks for a limit gets it
        };
    }
    return request;
}

/// All the times that it was replayed.
struct Series {
    replay::Replayed best; ///< the first that confirmed it, or the last
    unsigned replayed = 0;
    unsigned confirmed = 0;
};

Result<Series> replay_series(const replay::ReplayRequest& request, unsigned times) {
    Series series;
    while (series.replayed < times) {
        auto done = replay::replay(request);
        if (!done) return tl::make_unexpected(done.error());
        const bool confirmed = done->confirmed;
        const bool stopped = done->stopped;
        if (stopped || series.confirmed == 0) series.best = std::move(*done);
        if (stopped) break;
        ++series.replayed;
        series.confirmed += confirmed ? 1U : 0U;
    }
    return series;
}

std::string end_words(const replay::Attempt& attempt) {
    if (attempt.end == replay::AttemptEnd::timed_out) return "did not come to an end in time, and was ended";
    if (attempt.signal != 0) return fmt::format("died of signal {}", attempt.signal);
    return fmt::format("ended with status {}", attempt.status);
}

void print_result(const ReplayFlags& flags, const std::string& path, const Trace& trace,
                  const Finding& finding, std::size_t number, const Series& series) {
    const replay::Replayed& done = series.best;
    Output out;
    if (flags.format == "json") {
        nlohmann::json json = {{"file", path},
                               {"id", number},
                               {"confirmed", done.confirmed},
                               {"attempts", done.attempts},
                               {"headline", report::headline(trace, finding)}};
        if (!done.explanation.empty() && !done.confirmed) json["explanation"] = done.explanation;
        if (done.confirmed && finding.kind() != FindingKind::deadlock) json["exit_status"] = done.last.status;
        if (flags.times > 1) json["times"] = {{"replayed", series.replayed}, {"confirmed", series.confirmed}};
        out.line(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
    } else if (done.confirmed) {
        const std::string then = finding.kind() == FindingKind::deadlock || flags.gdb
                                     ? ""
                                     : "; the program then " + end_words(done.last);
        out.line(fmt::format(
            "{}: {} [{} {}, confirmed] in attempt {}{}",
            report::place_or_event(trace, finding.accesses[0].event), report::headline(trace, finding),
            kFindingKindNames[static_cast<std::size_t>(finding.kind())], number, done.attempts, then));
    } else if (!done.stopped) {
        out.line(fmt::format("{}: {} [{} {}, witnessed] not confirmed in {} attempt{}",
                             report::place_or_event(trace, finding.accesses[0].event),
                             report::headline(trace, finding),
                             kFindingKindNames[static_cast<std::size_t>(finding.kind())], number,
                             done.attempts, done.attempts == 1 ? "" : "s"));
    }
    if (flags.format == "text" && flags.times > 1)
        out.line(fmt::format("confirmed {} of {} times", series.confirmed, series.replayed));
    static_cast<void>(out.finish());
}

/// The witnessed finding that the daemon means.
Result<std::size_t> find_by_key(const AnalysedTrace& file, const std::string& key) {
    for (std::size_t i = 0; i < file.analysis.findings.size(); ++i) {
        const Finding& finding = file.analysis.findings[i];
        if (std::holds_alternative<Witnessed>(finding.verdict) &&
            report::recorded_key(file.loaded.trace, finding) == key)
            return i;
    }
    return fail("the trace no longer shows this finding");
}

ExitStatus run_replay(const ReplayFlags& flags) {
    const auto stop = [](const Error& error) {
        print_error(error.message);
        return ExitStatus::error;
    };
    const auto chosen =
        flags.key.empty() ? choose_finding(flags.trace, flags.id) : ChosenFinding{flags.id, 0};
    if (!chosen) return stop(chosen.error());
    const auto recorder = record::find_recorder_folder(flags.recorder);
    if (!recorder) return stop(recorder.error());
    Loading loading(flags.analysis.symbols);
    Budget budget(flags.analysis.limits);
    const auto analysed = analyse_file(chosen->trace, flags.analysis, loading, budget);
    if (!analysed) return stop(analysed.error());
    const auto found = flags.key.empty() ? find_witnessed(chosen->trace, analysed->analysis, chosen->number)
                                         : find_by_key(*analysed, flags.key);
    if (!found) return stop(found.error());
    const auto recorded =
        load_trace(chosen->trace); // places that were resolved no longer tell instructions apart
    if (!recorded) return stop(recorded.error());

    const Trace& told = analysed->loaded.trace;
    const Finding& finding = analysed->analysis.findings[*found];
    const StopSignals signals;
    const auto series =
        replay_series(request_of(flags, recorded->trace, told, finding, *recorder), flags.times);
    if (!series) return stop(series.error());
    const replay::Replayed& done = series->best;
    if (done.stopped) {
        print_error("stopped; the program was ended");
        return ExitStatus::error;
    }
    const auto saved =
        replay::save_result(chosen->trace, replay::identity_of(told), report::recorded_key(told, finding),
                            {.confirmed = done.confirmed,
                             .when = utc_now(),
                             .attempts = done.attempts,
                             .explanation = done.confirmed ? "" : done.explanation});
    if (!saved) print_note("the result could not be kept: " + saved.error().message);
    print_result(flags, chosen->trace, told, finding, report::finding_numbers(analysed->analysis)[*found],
                 *series);
    return done.confirmed ? ExitStatus::fine : ExitStatus::damage;
}

constexpr const char* kFooter =
    "heddle replay [OPTIONS] ID [TRACE] [-- COMMAND...]\n"
    "\n"
    "The program runs as it was recorded, in the same folder, or as COMMAND says. Its threads are held back "
    "where\n"
    "the schedule wants it; a race is confirmed when both threads stand at their accesses, a deadlock when "
    "all stand\n"
    "at their requests. The result is kept beside the trace, and heddle analyze tells it.\n"
    "\n"
    "Exit status: 0 confirmed, 1 not confirmed, 2 error.";

} // namespace

Command add_replay(CLI::App& app, std::vector<std::string> command_line) {
    auto flags = std::make_shared<ReplayFlags>();
    flags->command = std::move(command_line);
    CLI::App* command =
        app.add_subcommand("replay", "Run the program on the schedule of a finding's witness, and "
                                     "tell whether the bug is there");
    command->footer(kFooter);
    command->add_option("ID", flags->id, "The finding's number in heddle analyze TRACE")->required();
    command->add_option("--key", flags->key)->group(""); // of the daemon: then ID is the trace
    command->add_option("TRACE", flags->trace,
                        fmt::format("Trace file; may be left out when {} has just one", kRecordings));
    command->add_option("--attempts", flags->attempts, "How often to try")
        ->capture_default_str()
        ->check(CLI::Range(1U, 10'000U));
    command
        ->add_option("--times", flags->times,
                     "Replay it this often, with the attempts of each, and tell how often it was confirmed")
        ->check(CLI::Range(1U, 10'000U));
    command
        ->add_option("--timeout", flags->timeout,
                     "Seconds that an attempt may take (10 times the recorded run)")
        ->type_name("SECONDS")
        ->check(CLI::Range(0.01, 1e6));
    command->add_flag("--explore", flags->explore,
                      "Try neighbours of the schedule, too, when it cannot be taken");
    command->add_flag("--gdb", flags->gdb, "Stop the program at the bug, for gdb to attach")
        ->excludes("--times");
    command->add_option("--stdin", flags->input, "What the program reads")->type_name("FILE");
    command->add_option("--keep-plan", flags->plan, "Write the plan that the program follows to FILE")
        ->type_name("FILE");
    command->add_option("--recorder", flags->recorder, "Take the recorder's libraries from FOLDER")
        ->type_name("FOLDER");
    command->add_option("--format", flags->format, "text or json")->check(CLI::IsMember({"text", "json"}));
    command->add_flag("-q,--quiet", flags->quiet, "Only the result; the program's output is not shown");
    add_analysis_options(*command, flags->analysis);
    return [flags] { return run_replay(*flags); };
}

} // namespace heddle::cli
