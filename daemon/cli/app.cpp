#include "daemon/cli/app.h"

#include "daemon/cli/command.h"
#include "daemon/cli/output.h"

#include <algorithm>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace heddle::cli {

namespace {

constexpr const char* kDescription =
    "Heddle predicts data races, atomicity violations and deadlocks from the runs you already make.\n"
    "These commands record traces (runs of a program), read, check, describe and convert them.";

constexpr const char* kFooter = "Try:\n"
                                "  heddle record -- ./my_tests          (built with -fsanitize=thread)\n"
                                "  heddle generate -o random.htr --threads 4 --events 10000\n"
                                "  heddle analyze random.htr\n"
                                "  heddle witness random.htr 1\n"
                                "  heddle replay 1 my_tests.htr         (runs the program on that schedule)\n"
                                "  heddle dump random.htr --range 0:20\n"
                                "  heddle convert random.htr random.std\n"
                                "\n"
                                "Exit status: 0 fine, 1 damage, findings or an incomplete analysis, 2 error.";

/// What follows "--" in `heddle replay` is a command, which the parser would take for more arguments. It is
/// taken off the end.
std::vector<std::string> take_command(int& argc, char** argv) {
    if (argc < 2 || std::string_view(argv[1]) != "replay") return {};
    const auto dashes = std::find(argv, argv + argc, std::string_view("--"));
    if (dashes == argv + argc) return {};
    std::vector<std::string> command(dashes + 1, argv + argc);
    argc = static_cast<int>(dashes - argv);
    return command;
}

int parse_and_run(int argc, char** argv) {
    CLI::App app(kDescription, "heddle");
    app.footer(kFooter);
    app.set_version_flag("--version", "heddle " HEDDLE_VERSION);
    app.require_subcommand(1);
    app.get_formatter()->column_width(34);

    std::vector<std::pair<std::string, Command>> commands;
    commands.emplace_back("record", add_record(app));
    commands.emplace_back("analyze", add_analyze(app));
    commands.emplace_back("witness", add_witness(app));
    commands.emplace_back("replay", add_replay(app, take_command(argc, argv)));
    commands.emplace_back("lsp", add_lsp(app));
    commands.emplace_back("status", add_status(app));
    commands.emplace_back("stop", add_stop(app));
    commands.emplace_back("info", add_info(app));
    commands.emplace_back("convert", add_convert(app));
    commands.emplace_back("dump", add_dump(app));
    commands.emplace_back("generate", add_generate(app));
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& problem) {
        return app.exit(problem) == 0 ? static_cast<int>(ExitStatus::fine)
                                      : static_cast<int>(ExitStatus::error);
    }
    for (const auto& [name, body] : commands) {
        if (app.got_subcommand(name)) return static_cast<int>(body());
    }
    return static_cast<int>(ExitStatus::error);
}

} // namespace

int run(int argc, char** argv) {
    // Libraries throw; nothing above this line expects it. Running out of memory on a huge trace is the
    // one case a user can meet.
    try {
        return parse_and_run(argc, argv);
    } catch (const std::bad_alloc&) {
        print_error("not enough memory for this trace");
    } catch (const std::exception& problem) {
        print_error(problem.what());
    }
    return static_cast<int>(ExitStatus::error);
}

} // namespace heddle::cli
