// heddle status and heddle stop: the daemon that editors share, from the command line.
#include "daemon/cli/command.h"
#include "daemon/cli/daemon_socket.h"
#include "daemon/cli/output.h"
#include "daemon/report/number_words.h"
#include "daemon/service/commands.h"

#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::cli {

namespace {

struct DaemonFlags {
    std::string to;
    bool json = false;
};

void add_options(CLI::App& command, DaemonFlags& flags) {
    command.add_option("--to", flags.to, "Where the daemon listens, if not at its usual place")
        ->type_name("WHERE");
}

/// For weeks as for seconds: "16 d 4 h", "4 h 12 min", "12 min 3 s", "3 s".
std::string uptime(std::uint64_t seconds) {
    const std::uint64_t minutes = seconds / 60;
    const std::uint64_t hours = minutes / 60;
    if (hours >= 24) return fmt::format("{} d {} h", hours / 24, hours % 24);
    if (hours > 0) return fmt::format("{} h {} min", hours, minutes % 60);
    return minutes > 0 ? fmt::format("{} min {} s", minutes, seconds % 60) : fmt::format("{} s", seconds);
}

std::string status_text(const nlohmann::json& status) {
    std::string text =
        fmt::format("heddle {}, process {}, {}, up {}\n", status.value("version", "?"),
                    status.value("process", 0), report::counted(status.value("clients", 0U), "client"),
                    uptime(status.value("seconds", std::uint64_t{0})));
    for (const nlohmann::json& one : status.value("workspaces", nlohmann::json::array())) {
        text += fmt::format("{}: {}, {}, {}, {}", one.value("folder", "?"),
                            report::counted(one.value("traces", 0U), "trace"),
                            report::counted(one.value("races", 0U), "race"),
                            report::counted(one.value("atomicityViolations", 0U), "atomicity violation"),
                            report::counted(one.value("deadlocks", 0U), "deadlock"));
        if (const auto hidden = one.value("hidden", 0U); hidden > 0)
            text += fmt::format(", {} hidden", hidden);
        if (one.value("analysing", 0U) > 0) text += fmt::format(", analysing {} %", one.value("percent", 0U));
        text += '\n';
    }
    return text;
}

ExitStatus run_status(const DaemonFlags& flags) {
    auto status = ask_daemon(flags.to, service::kStatusRequest);
    if (!status) {
        print_error(status.error().message);
        return ExitStatus::error;
    }
    (*status)["clients"] = status->value("clients", 1U) - 1; // without who asked
    Output out;
    if (flags.json) {
        out.line(status->dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
    } else {
        out.put(status_text(*status));
    }
    return out.finish() ? ExitStatus::fine : ExitStatus::error;
}

} // namespace

Command add_status(CLI::App& app) {
    auto flags = std::make_shared<DaemonFlags>();
    CLI::App* command =
        app.add_subcommand("status", "Tell what the daemon that editors share knows and does");
    add_options(*command, *flags);
    command->add_flag("--json", flags->json, "For programs");
    return [flags] { return run_status(*flags); };
}

Command add_stop(CLI::App& app) {
    auto flags = std::make_shared<DaemonFlags>();
    CLI::App* command = app.add_subcommand("stop", "End the daemon that editors share");
    add_options(*command, *flags);
    return [flags] {
        const auto stopped = ask_daemon(flags->to, service::kStopRequest);
        if (stopped) return ExitStatus::fine;
        print_error(stopped.error().message);
        return ExitStatus::error;
    };
}

} // namespace heddle::cli
