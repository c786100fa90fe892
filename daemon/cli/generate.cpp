// heddle generate: random but valid traces, for trying things out, tests and benchmarks.
#include "daemon/cli/command.h"
#include "daemon/cli/output.h"
#include "daemon/cli/progress_bar.h"
#include "daemon/report/number_words.h"
#include "traces/generator.h"
#include "traces/save.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace heddle::cli {

namespace {

struct GenerateOptions {
    std::string out;
    std::string preset;
    std::string format;
    bool stream_per_thread = false;
    std::map<std::string, std::string> settings; ///< as typed, by the setting's name
};

/// What --help says of each setting.
const std::map<std::string_view, std::string_view> kHelp = {
    {"seed", "Same seed, same trace"},
    {"events", "About how many events"},
    {"threads", "How many, the main thread included"},
    {"mean_run", "Steps of a thread before another one runs"},
    {"variables", "Shared variables"},
    {"private_variables", "Variables that only one thread uses, for each thread"},
    {"blocks", "Heap blocks alive at a time, allocated and freed"},
    {"sharing", "Fraction of accesses that go to shared variables"},
    {"race_rate", "Fraction of shared accesses made without the lock that guards them"},
    {"writes", "Fraction of accesses that write"},
    {"atomics", "Fraction of accesses that are atomic"},
    {"mixed_sizes", "Accesses to parts of variables"},
    {"values", "Record the values read and written"},
    {"locks", "Locks"},
    {"rwlocks", "How many of the locks are reader/writer locks"},
    {"max_lock_depth", "Locks held at once"},
    {"nested", "Release locks in the reverse order of acquiring them"},
    {"section_accesses", "Mean number of accesses in a critical section"},
    {"deadlock_rate", "Fraction of inner acquisitions against the order of locks"},
    {"transactions", "Fraction of critical sections inside a marked transaction"},
    {"other_work", "How often threads do what the following settings allow"},
    {"conditions", "Condition variables that threads wait for and notify"},
    {"timeouts", "Fraction of waits that no notify ends"},
    {"barriers", "Barriers"},
    {"semaphores", "Semaphores"},
    {"semaphore_count", "What they start with"},
    {"onces", "Things initialised once"},
    {"annotations", "Happens-before annotations: how many tags"},
    {"places", "Different places in the source"},
    {"stack_depth", "Frames of a call stack; 0 for no places"},
};

std::string option_name(std::string_view setting) {
    std::string name = "--" + std::string(setting);
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
}

template<typename Setting>
constexpr std::string_view type_name() {
    if constexpr (std::is_same_v<Setting, bool>) return "on|off";
    return std::is_floating_point_v<Setting> ? "NUMBER" : "COUNT";
}

std::string default_text(bool setting) {
    return setting ? "on" : "off";
}
template<typename Number>
std::string default_text(Number setting) {
    return fmt::format("{}", setting);
}

bool parse(const std::string& text, bool& to) {
    to = text == "on" || text == "true" || text == "1";
    return to || text == "off" || text == "false" || text == "0";
}
template<typename Number>
bool parse(const std::string& text, Number& to) {
    // A minus sign would wrap around in an unsigned number.
    return (std::is_floating_point_v<Number> || text.find('-') == std::string::npos) &&
           CLI::detail::lexical_cast(text, to);
}

Result<GeneratorSettings> settings_of(const GenerateOptions& options) {
    GeneratorSettings settings;
    if (options.preset == "realistic") {
        settings = realistic();
    } else if (options.preset == "every-kind") {
        std::uint64_t seed = 1;
        if (options.settings.contains("seed") && !parse(options.settings.at("seed"), seed)) {
            return fail(fmt::format("--seed takes COUNT, not '{}'", options.settings.at("seed")));
        }
        settings = every_kind(seed);
    }
    std::string problem;
    for_each_setting(settings, [&](std::string_view name, auto& member) {
        const auto typed = options.settings.find(std::string(name));
        if (typed == options.settings.end() || !problem.empty() || parse(typed->second, member)) return;
        problem = fmt::format("{} takes {}, not '{}'", option_name(name),
                              type_name<std::decay_t<decltype(member)>>(), typed->second);
    });
    if (!problem.empty()) return fail(problem);
    if (auto valid = validate(settings); !valid) return tl::make_unexpected(valid.error());
    return settings;
}

ExitStatus run_generate(const GenerateOptions& options) {
    const auto failed = [](const Error& error) {
        print_error(error.message);
        return ExitStatus::error;
    };
    const auto settings = settings_of(options);
    if (!settings) return failed(settings.error());
    const auto format = options.format.empty() ? format_of_path(options.out) : format_named(options.format);
    if (!format) return failed(format.error());
    const Trace trace =
        with_progress("generating", [&](const Progress& progress) { return generate(*settings, progress); });
    const auto saved = with_progress("writing " + options.out, [&](const Progress& progress) {
        const SaveOptions how{.format = *format, .stream_per_thread = options.stream_per_thread};
        return save_trace(trace, options.out, how, progress);
    });
    if (!saved) return failed(saved.error());
    Output out;
    out.line(fmt::format("{}: {}, {}", options.out, report::counted(trace.size(), "event"),
                         report::counted(trace.thread_count(), "thread")));
    return out.finish() ? ExitStatus::fine : ExitStatus::error;
}

} // namespace

Command add_generate(CLI::App& app) {
    auto options = std::make_shared<GenerateOptions>();
    CLI::App* command = app.add_subcommand(
        "generate", "Make a random trace: a scheduler is simulated, so that every trace is a real execution");
    command
        ->add_option("-o,--output", options->out,
                     "File to write; its ending (.htr, .std, .json) tells the format")
        ->required();
    command->add_option("--to", options->format,
                        "The format, whatever the file is called: htr, std or chrome");
    command
        ->add_option("--preset", options->preset,
                     "Start from: realistic (as recorded from a server program) or every-kind")
        ->check(CLI::IsMember({"realistic", "every-kind"}));
    command->add_flag("--stream-per-thread", options->stream_per_thread,
                      "Write .htr the way a recorder does, each thread in chunks of its own");
    GeneratorSettings defaults;
    for_each_setting(defaults, [&](std::string_view name, auto& member) {
        const std::string key(name);
        command
            ->add_option_function<std::string>(
                option_name(name), [options, key](const std::string& text) { options->settings[key] = text; },
                std::string(kHelp.at(name)))
            ->type_name(std::string(type_name<std::decay_t<decltype(member)>>()))
            ->default_str(default_text(member));
    });
    return [options] { return run_generate(*options); };
}

} // namespace heddle::cli
