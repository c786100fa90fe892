// heddle convert: from one trace format to another.
#include "daemon/cli/command.h"
#include "daemon/cli/output.h"
#include "daemon/cli/progress_bar.h"
#include "traces/load.h"
#include "traces/save.h"

#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::cli {

namespace {

struct ConvertOptions {
    std::string in;
    std::string out;
    std::string format;
    bool plain = false;
    bool json = false;
};

ExitStatus run_convert(const ConvertOptions& options) {
    const auto format = options.format.empty() ? format_of_path(options.out) : format_named(options.format);
    if (!format) {
        print_error(format.error().message);
        return ExitStatus::error;
    }
    const auto loaded = with_progress("reading " + options.in, [&](const Progress& progress) {
        return load_trace(options.in, {.progress = progress});
    });
    if (!loaded) {
        print_error(loaded.error().message);
        return ExitStatus::error;
    }
    const auto saved = with_progress("writing " + options.out, [&](const Progress& progress) {
        return save_trace(loaded->trace, options.out, {.format = *format, .plain = options.plain}, progress);
    });
    if (!saved) {
        print_error(saved.error().message);
        return ExitStatus::error;
    }
    if (options.json) {
        Output out;
        const nlohmann::json report = {{"version", 1},
                                       {"in", options.in},
                                       {"out", options.out},
                                       {"events", loaded->trace.size()},
                                       {"damage", loaded->damage.total()},
                                       {"not_held", saved->not_held}};
        out.line(report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
        if (!out.finish()) return ExitStatus::error;
    }
    print_notes(loaded->notes);
    print_damage(loaded->damage);
    for (const std::string& lost : saved->not_held) {
        print_notes({fmt::format("{} does not hold everything: {}", options.out, lost)});
    }
    return loaded->damage.empty() ? ExitStatus::fine : ExitStatus::damage;
}

} // namespace

Command add_convert(CLI::App& app) {
    auto options = std::make_shared<ConvertOptions>();
    CLI::App* command = app.add_subcommand(
        "convert", "Convert a trace: .htr and .std to each other, or to .json for timeline viewers");
    command->add_option("IN", options->in, "Trace to read: .htr or text, also compressed (.gz, .zst)")
        ->required();
    command->add_option("OUT", options->out, "File to write; its ending (.htr, .std, .json) tells the format")
        ->required();
    command->add_option("--to", options->format, "The format, whatever OUT is called: htr, std or chrome");
    command->add_flag("--plain", options->plain, "Text that other tools read: no values, no extensions");
    command->add_flag("--json", options->json,
                      "Print as JSON what was done and what the target could not hold");
    return [options] { return run_convert(*options); };
}

} // namespace heddle::cli
