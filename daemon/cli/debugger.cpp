#include "daemon/cli/debugger.h"

#include "daemon/cli/output.h"
#include "daemon/record/foreground_run.h"
#include "daemon/record/program.h"

#include <csignal>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

extern char** environ; // NOLINT(readability-redundant-declaration): POSIX leaves declaring it to programs

namespace heddle::cli {

namespace {

void run_gdb(const std::string& gdb, const std::string& process) {
    std::vector<std::string> environment;
    for (char** entry = environ; *entry != nullptr; ++entry) environment.emplace_back(*entry);
    const auto finished = record::run_in_foreground(gdb, {"gdb", "-p", process}, environment);
    if (!finished) print_error(finished.error().message);
}

} // namespace

void offer_debugger(const replay::Outcome& outcome, double timeout) {
    const std::string process = std::to_string(outcome.process);
    const bool at_terminal = isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0;
    const auto gdb = record::find_program("gdb");
    print_note(fmt::format("process {} stands at the bug, threads {}; gdb -p {}", process,
                           fmt::join(outcome.standing, " and "), process));
    if (!at_terminal || !gdb) {
        return print_note(timeout == 0 ? "it stays there until heddle is interrupted"
                                       : fmt::format("it stays there until {} s are over", timeout));
    }
    run_gdb(*gdb, process);
    kill(outcome.process, SIGKILL);
}

} // namespace heddle::cli
