// heddle lsp: the daemon that editors talk to.
#include "daemon/cli/command.h"
#include "daemon/cli/daemon_socket.h"
#include "daemon/cli/output.h"
#include "daemon/service/log_file.h"
#include "daemon/service/server.h"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace heddle::cli {

namespace {

struct LspFlags {
    std::string listen;
    bool stdio = false; ///< some editors add it to every server's command
    bool connect = false;
    std::string to; ///< endpoint of --connect
    std::string log = service::default_log_file();
    std::string cache = service::ReportCache::default_folder();
    bool no_cache = false;
    std::vector<std::string> debug_folders;
    std::vector<std::string> traces;
};

service::HubOptions hub_options(const LspFlags& flags) {
    service::HubOptions options;
    if (!flags.traces.empty()) {
        nlohmann::json folders = nlohmann::json::array();
        std::error_code error;
        for (const std::string& folder : flags.traces)
            folders.push_back(std::filesystem::absolute(folder, error).string());
        options.settings = {{"traces", folders}};
    }
    options.cache_folder = flags.no_cache ? std::string() : flags.cache;
    options.debug_folders = flags.debug_folders;
    if (!flags.log.empty()) {
        auto log = service::open_log(flags.log);
        if (log) {
            options.log = std::move(*log);
        } else {
            print_error(log.error().message);
        }
    }
    return options;
}

/// Secrets on the command line are seen by every user of the machine.
std::string token_from_environment() {
    const char* token = std::getenv("HEDDLE_TOKEN");
    return token == nullptr ? std::string() : token;
}

ExitStatus listen(const LspFlags& flags) {
    auto endpoint = lsp::parse_endpoint(flags.listen);
    if (!endpoint) {
        print_error(endpoint.error().message);
        return ExitStatus::error;
    }
    const auto served = service::serve_socket(
        hub_options(flags), {.endpoint = *endpoint,
                             .token = token_from_environment(),
                             .ready = [](const lsp::Endpoint& where, const std::string& token) {
                                 Output out;
                                 out.line(fmt::format("listening on {}", lsp::to_text(where)));
                                 if (!token.empty() && token_from_environment().empty())
                                     out.line(fmt::format("token {}", token));
                                 static_cast<void>(out.finish());
                             }});
    if (served) return ExitStatus::fine;
    print_error(served.error().message);
    return ExitStatus::error;
}

ExitStatus run_lsp(const LspFlags& flags) {
    if (!flags.listen.empty()) return listen(flags);
    if (flags.connect) {
        const auto bridged = bridge_to_daemon(flags.to);
        if (bridged) return ExitStatus::fine;
        print_error(bridged.error().message);
        return ExitStatus::error;
    }
    return ExitStatus{service::serve_stdio(hub_options(flags))};
}

constexpr const char* kFooter =
    "Without options, speaks to one editor on standard input and output and ends with it.\n"
    "Unix sockets are for their owner alone. TCP is for this machine alone (127.0.0.1, ::1), and clients "
    "must\n"
    "present a token in initializationOptions.token: that of HEDDLE_TOKEN, or the one that is printed.";

} // namespace

Command add_lsp(CLI::App& app) {
    auto flags = std::make_shared<LspFlags>();
    CLI::App* command =
        app.add_subcommand("lsp", "Show findings in editors: a language server that watches traces");
    command->footer(kFooter);
    auto* listen = command
                       ->add_option("--listen", flags->listen,
                                    "Serve any number of editors at unix:PATH or tcp:127.0.0.1:PORT")
                       ->type_name("WHERE");
    auto* connect = command->add_flag("--connect", flags->connect,
                                      "Join the daemon that is running, or start it: one for all editors");
    connect->excludes(listen);
    command->add_option("--to", flags->to, "Where the daemon of --connect listens, if not at its usual place")
        ->type_name("WHERE")
        ->needs(connect);
    command->add_flag("--stdio", flags->stdio, "Standard input and output, which is what happens anyway");
    command->add_option("--traces", flags->traces, "Watch these folders instead of the workspace's own")
        ->type_name("FOLDER")
        ->allow_extra_args(false);
    command->add_option("--debug-dir", flags->debug_folders, "Look here, too, for binaries and debug files")
        ->type_name("FOLDER")
        ->allow_extra_args(false);
    command->add_option("--log", flags->log, "Log to FILE")->type_name("FILE")->capture_default_str();
    command->add_option("--cache", flags->cache, "Keep reports in FOLDER")
        ->type_name("FOLDER")
        ->capture_default_str();
    command->add_flag("--no-cache", flags->no_cache, "Keep no reports for the next start");
    return [flags] { return run_lsp(*flags); };
}

} // namespace heddle::cli
