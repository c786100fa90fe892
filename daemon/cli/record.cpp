// heddle record: runs a program under the recorder, and gives its exit status.
#include "daemon/cli/command.h"
#include "daemon/cli/output.h"
#include "daemon/cli/recording_report.h"
#include "daemon/record/advice.h"
#include "daemon/record/foreground_run.h"
#include "daemon/record/program.h"
#include "daemon/record/recorder_environment.h"
#include "daemon/record/recorder_folder.h"
#include "daemon/record/run_report.h"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

namespace heddle::cli {

namespace {

namespace fs = std::filesystem;

// As env(1), nohup(1) and timeout(1) have it, since every smaller number may be the program's own.
constexpr ExitStatus kHeddleFailed{125};
constexpr ExitStatus kNotExecutable{126};
constexpr ExitStatus kNotFound{127};

struct RecordOptions {
    std::vector<std::string> words;
    std::string output;
    std::string name;
    std::string values;
    std::string max_size;
    std::string recorder;
    bool full = false;
    bool no_follow = false;
    bool anyway = false;
    bool preload = false;
    bool quiet = false;
};

/// A file that only this run writes to; removed with the object.
class ReportFile {
  public:
    ReportFile() {
        std::error_code ignored;
        path_ = (fs::temp_directory_path(ignored) / "heddle-run-XXXXXX").string();
        const int descriptor = mkstemp(path_.data());
        if (descriptor < 0) {
            path_.clear();
            return;
        }
        close(descriptor);
    }
    ~ReportFile() {
        if (!path_.empty()) unlink(path_.c_str());
    }
    ReportFile(const ReportFile&) = delete;
    ReportFile& operator=(const ReportFile&) = delete;
    ReportFile(ReportFile&&) = delete;
    ReportFile& operator=(ReportFile&&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; } ///< empty: could not be made

  private:
    std::string path_;
};

std::string literally(const std::string& text) {
    std::string result;
    for (const char one : text) result += one == '%' ? "%%" : std::string(1, one);
    return result;
}

/// Absolute, because programs change their folder and their children inherit the pattern.
std::string trace_pattern(const RecordOptions& options) {
    const fs::path here = literally(fs::current_path().string());
    if (!options.output.empty()) return (here / options.output).string();
    const std::string name = options.name.empty() ? "%n" : literally(options.name);
    return (here / ".heddle" / "traces" / (name + ".htr")).string();
}

/// Whether the program can be recorded; says why not.
bool worth_running(const record::Program& program, const RecordOptions& options, const std::string& folder) {
    const std::string advice = record::advice(program, folder);
    if (advice.empty()) return true;
    if ((options.anyway || options.preload) && program.recordable == record::Recordable::plain) return true;
    print_error(advice);
    return false;
}

ExitStatus run_recorded(const RecordOptions& options, const record::Program& program,
                        const std::string& folder) {
    const ReportFile report;
    if (report.path().empty()) {
        print_error("no temporary file could be made; is there space, and is TMPDIR a folder?");
        return kHeddleFailed;
    }
    const record::RecorderSettings settings{.folder = folder,
                                            .trace = trace_pattern(options),
                                            .report = report.path(),
                                            .values = options.values,
                                            .max_size = options.max_size,
                                            .full = options.full,
                                            .preload = options.preload || program.wants_preload,
                                            .follow_children = !options.no_follow};
    const auto finished =
        record::run_in_foreground(program.path, options.words, record::recorder_environment(settings));
    if (!finished) {
        print_error(finished.error().message);
        return kNotExecutable;
    }
    report_recording({.program = fs::path(program.path).filename().string(),
                      .trace_pattern = settings.trace,
                      .finished = *finished,
                      .processes = record::read_run_report(report.path()),
                      .quiet = options.quiet});
    return ExitStatus{finished->status};
}

ExitStatus run_record(const RecordOptions& options) {
    const auto path = record::find_program(options.words[0]);
    if (!path) {
        print_error(path.error().message);
        return path.error().problem == record::ProgramProblem::not_found ? kNotFound : kNotExecutable;
    }
    const auto folder = record::find_recorder_folder(options.recorder);
    if (!folder) {
        print_error(folder.error().message);
        return kHeddleFailed;
    }
    const char* libraries = std::getenv("LD_LIBRARY_PATH");
    const auto program = record::inspect_program(*path, libraries == nullptr ? "" : libraries);
    if (!program) {
        print_error(program.error().message);
        return kNotExecutable;
    }
    if (!worth_running(*program, options, *folder)) return kHeddleFailed;
    return run_recorded(options, *program, *folder);
}

constexpr const char* kFooter =
    "Traces go to .heddle/traces/PROGRAM.htr; a process that the program starts has one of its own.\n"
    "In FILE, %n is the program's name and %p the number of its process.\n"
    "\n"
    "Exit status: that of PROGRAM (128 + N when signal N killed it); 125 heddle itself failed or PROGRAM\n"
    "cannot be recorded, 126 PROGRAM could not be started, 127 it was not found.";

} // namespace

Command add_record(CLI::App& app) {
    auto options = std::make_shared<RecordOptions>();
    CLI::App* command = app.add_subcommand(
        "record", "Run a program that was built with -fsanitize=thread, and write down what its threads do");
    command->footer(kFooter);
    command->positionals_at_end(); // what follows the program's name is the program's
    command->add_option("PROGRAM", options->words, "The program and its arguments")->required();
    command->add_option("-o,--output", options->output, "Write the trace to FILE")->type_name("FILE");
    command->add_option("--name", options->name, "Call the trace NAME instead of the program's name")
        ->type_name("NAME")
        ->excludes("--output");
    command->add_option("--values", options->values, "Record the values that are read and written (on)")
        ->type_name("on|off")
        ->check(CLI::IsMember({"on", "off"}));
    command->add_flag("--full", options->full,
                      "Also write what no analysis needs: private and repeated accesses");
    command
        ->add_option("--max-size", options->max_size, "Stop recording when a trace has this size: 500M, 2G")
        ->type_name("SIZE")
        ->check(CLI::AsSizeValue(false));
    command->add_flag("--no-follow,!--follow-children", options->no_follow,
                      "Record PROGRAM alone, not what it starts");
    command->add_option("--recorder", options->recorder, "Take the recorder's libraries from FOLDER")
        ->type_name("FOLDER");
    command->add_flag("--anyway", options->anyway, "Run PROGRAM even if it has no instrumentation itself");
    command->add_flag("--preload", options->preload,
                      "Load the recorder first of all, for programs that load instrumented code later");
    command->add_flag("-q,--quiet", options->quiet, "Say nothing unless something went wrong");
    return [options] { return run_record(*options); };
}

} // namespace heddle::cli
