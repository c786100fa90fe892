// heddle info: what is in a trace, for people or as JSON.
#include "analysis/lock_nesting.h"
#include "daemon/cli/command.h"
#include "daemon/cli/loading.h"
#include "daemon/cli/output.h"
#include "daemon/cli/progress_bar.h"
#include "daemon/report/number_words.h"
#include "traces/summary.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::cli {

namespace {

constexpr std::size_t kThreadsShown = 20;

struct InfoOptions {
    std::vector<std::string> files;
    bool json = false;
    bool all_threads = false;
    SymbolFlags symbols;
};

/// Everything that info tells of one file.
struct Described {
    std::string path;
    Loading::Loaded loaded;
    Summary summary;
    std::vector<ThreadNesting> nesting;
    std::uint32_t nesting_depth = 0;
    bool nested = true;
};

Described describe_file(std::string path, Loading::Loaded loaded) {
    Described result{.path = std::move(path), .loaded = std::move(loaded), .summary = {}, .nesting = {}};
    result.summary = summarize(result.loaded.trace);
    result.nesting = lock_nesting(result.loaded.trace);
    for (const ThreadNesting& thread : result.nesting) {
        result.nesting_depth = std::max(result.nesting_depth, thread.max_depth);
        result.nested = result.nested && thread.nested();
    }
    return result;
}

std::string_view format_name(TraceFormat format) {
    return format == TraceFormat::htr ? "htr" : "text";
}

void put_row(Output& out, std::string_view name, std::string_view text) {
    if (!text.empty()) out.line(fmt::format("  {:<11}{}", name, text));
}

std::string recorded_text(const Metadata& metadata) {
    std::vector<std::string> parts;
    if (!metadata.command.empty()) parts.push_back(fmt::format("{}", fmt::join(metadata.command, " ")));
    if (!metadata.test.empty()) parts.push_back("test " + metadata.test);
    if (metadata.start_time_unix_ns) parts.push_back(report::utc_time(*metadata.start_time_unix_ns));
    if (metadata.duration_ns) parts.push_back(report::duration(*metadata.duration_ns));
    if (metadata.exit_status) parts.push_back(fmt::format("exit status {}", *metadata.exit_status));
    return fmt::format("{}", fmt::join(parts, " · "));
}

std::string settings_text(const Metadata& metadata) {
    std::vector<std::string> parts;
    for (const auto& [name, value] : metadata.settings) parts.push_back(fmt::format("{}={}", name, value));
    return fmt::format("{}", fmt::join(parts, " "));
}

void put_threads(Output& out, const Described& file, bool all) {
    const Trace& trace = file.loaded.trace;
    const std::size_t shown = all ? trace.thread_count() : std::min(trace.thread_count(), kThreadsShown);
    std::size_t width = 0;
    for (std::size_t i = 0; i < shown; ++i) {
        width = std::max(width, trace.display_name(ObjectKind::thread, static_cast<std::uint32_t>(i)).size());
    }
    for (std::size_t i = 0; i < shown; ++i) {
        const ThreadNesting& nesting = file.nesting[i];
        put_row(out, i == 0 ? "threads" : "",
                fmt::format("{:<{}}  {:>12}{}{}",
                            trace.display_name(ObjectKind::thread, static_cast<std::uint32_t>(i)), width,
                            report::counted(file.summary.by_thread[i], "event"),
                            nesting.max_depth == 0 ? "" : fmt::format(", locks {} deep", nesting.max_depth),
                            nesting.nested() ? "" : ", not nested"));
    }
    if (shown < trace.thread_count()) {
        put_row(out, "",
                fmt::format("… and {} more (--threads shows all)",
                            report::grouped(trace.thread_count() - shown)));
    }
}

std::string kinds_text(const Summary& summary) {
    std::vector<std::string> parts;
    for (std::size_t kind = 0; kind < kEventKinds; ++kind) {
        if (summary.by_kind[kind] == 0) continue;
        parts.push_back(
            fmt::format("{} {}", kKindTraits[kind].label, report::grouped(summary.by_kind[kind])));
    }
    return fmt::format("{}", fmt::join(parts, " · "));
}

std::string objects_text(const Trace& trace) {
    std::vector<std::string> parts;
    for (const ObjectKind kind : {ObjectKind::condition, ObjectKind::barrier, ObjectKind::semaphore,
                                  ObjectKind::once, ObjectKind::block, ObjectKind::tag}) {
        const std::size_t count = trace.objects(kind).size();
        if (count > 0)
            parts.push_back(report::counted(count, kObjectKindNames[static_cast<std::size_t>(kind)]));
    }
    return fmt::format("{}", fmt::join(parts, " · "));
}

void put_modules(Output& out, const Described& file) {
    const Trace& trace = file.loaded.trace;
    for (std::size_t i = 0; i < trace.modules().size(); ++i) {
        const Module& module = trace.modules()[i];
        const auto& states = file.loaded.module_states;
        put_row(out, i == 0 ? "modules" : "",
                fmt::format("{}  build-id {}{}", trace.string(module.path),
                            module.build_id.value == 0 ? "none" : trace.string(module.build_id),
                            states.empty() ? "" : fmt::format("  ({})", states[i])));
    }
}

void put_text(Output& out, const Described& file, bool all_threads) {
    const Trace& trace = file.loaded.trace;
    const std::size_t locks = trace.objects(ObjectKind::lock).size();
    const std::size_t variables = trace.objects(ObjectKind::variable).size();
    out.line(fmt::format("{}: {} trace, {}, {}, {}", file.path, format_name(file.loaded.format),
                         report::counted(trace.size(), "event"),
                         report::counted(trace.thread_count(), "thread"),
                         report::byte_count(file.loaded.file_bytes)));
    put_row(out, "recorded", recorded_text(trace.metadata()));
    put_threads(out, file, all_threads);
    put_row(out, "events", kinds_text(file.summary));
    if (locks > 0) {
        put_row(out, "locks",
                fmt::format("{}, at most {} held at once, {}", report::grouped(locks), file.nesting_depth,
                            file.nested ? "released in reverse order (nested)" : "not nested"));
    }
    if (variables > 0) {
        put_row(out, "variables",
                fmt::format("{}, {} of them used by several threads; {} of {} accesses have values",
                            report::grouped(variables), report::grouped(file.summary.shared_variables),
                            report::grouped(file.summary.accesses_with_value),
                            report::grouped(file.summary.accesses)));
    }
    put_row(out, "objects", objects_text(trace));
    put_row(out, "places",
            fmt::format("{}, {}", report::counted(trace.places().size(), "place"),
                        report::counted(trace.stacks().size(), "stack")));
    put_modules(out, file);
    put_row(out, "settings", settings_text(trace.metadata()));
    const DamageLog& damage = file.loaded.damage;
    put_row(out, "damage",
            damage.empty() ? "none"
                           : fmt::format("{}; what is usable is described here",
                                         report::counted(damage.total(), "problem")));
}

nlohmann::json metadata_json(const Metadata& metadata) {
    nlohmann::json json = {{"command", metadata.command}, {"settings", metadata.settings}};
    if (!metadata.test.empty()) json["test"] = metadata.test;
    if (metadata.start_time_unix_ns) json["start_time_unix_ns"] = *metadata.start_time_unix_ns;
    if (metadata.duration_ns) json["duration_ns"] = *metadata.duration_ns;
    if (metadata.exit_status) json["exit_status"] = *metadata.exit_status;
    return json;
}

nlohmann::json damage_json(const DamageLog& damage) {
    nlohmann::json list = nlohmann::json::array();
    for (const Damage& one : damage.kept()) {
        list.push_back({{"kind", damage_kind_name(one.kind)}, {"where", one.where}, {"what", one.what}});
    }
    return {{"total", damage.total()}, {"shown", std::move(list)}};
}

nlohmann::json to_json(const Described& file) {
    const Trace& trace = file.loaded.trace;
    nlohmann::json json = {{"version", 1},
                           {"file", file.path},
                           {"format", format_name(file.loaded.format)},
                           {"bytes", file.loaded.file_bytes},
                           {"events", trace.size()},
                           {"accesses_with_value", file.summary.accesses_with_value},
                           {"shared_variables", file.summary.shared_variables},
                           {"nesting_depth", file.nesting_depth},
                           {"nested", file.nested},
                           {"places", trace.places().size()},
                           {"stacks", trace.stacks().size()},
                           {"metadata", metadata_json(trace.metadata())},
                           {"damage", damage_json(file.loaded.damage)},
                           {"notes", file.loaded.notes}};
    for (std::size_t kind = 0; kind < kEventKinds; ++kind) {
        if (file.summary.by_kind[kind] > 0)
            json["kinds"][std::string(kKindTraits[kind].text)] = file.summary.by_kind[kind];
    }
    for (std::size_t kind = 0; kind < kObjectKinds; ++kind) {
        json["objects"][std::string(kObjectKindNames[kind])] =
            trace.objects(static_cast<ObjectKind>(kind)).size();
    }
    json["threads"] = nlohmann::json::array();
    for (std::size_t i = 0; i < trace.thread_count(); ++i) {
        json["threads"].push_back(
            {{"name", trace.display_name(ObjectKind::thread, static_cast<std::uint32_t>(i))},
             {"events", file.summary.by_thread[i]},
             {"nesting_depth", file.nesting[i].max_depth},
             {"nested", file.nesting[i].nested()}});
    }
    json["modules"] = nlohmann::json::array();
    for (std::size_t i = 0; i < trace.modules().size(); ++i) {
        const Module& module = trace.modules()[i];
        json["modules"].push_back({{"path", trace.string(module.path)},
                                   {"build_id", trace.string(module.build_id)},
                                   {"base", module.base},
                                   {"size", module.size}});
        if (!file.loaded.module_states.empty())
            json["modules"].back()["symbols"] = file.loaded.module_states[i];
    }
    return json;
}

ExitStatus run_info(const InfoOptions& options) {
    Loading loading(options.symbols);
    Output out;
    ExitStatus status = ExitStatus::fine;
    nlohmann::json all = nlohmann::json::array();
    for (const std::string& path : options.files) {
        auto loaded = with_progress("reading " + path, [&](const Progress& progress) {
            return loading.load(path, {.progress = progress});
        });
        if (!loaded) {
            print_error(loaded.error().message);
            if (options.json)
                all.push_back({{"version", 1}, {"file", path}, {"error", loaded.error().message}});
            status = ExitStatus::error;
            continue;
        }
        const Described file = describe_file(path, std::move(*loaded));
        if (!file.loaded.damage.empty()) status = std::max(status, ExitStatus::damage);
        if (options.json) {
            all.push_back(to_json(file));
        } else {
            put_text(out, file, options.all_threads);
            print_notes(file.loaded.notes);
            print_damage(file.loaded.damage);
        }
    }
    // One file is one object; several are a list.
    if (options.json) {
        out.line((options.files.size() == 1 ? all[0] : all)
                     .dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
    }
    return out.finish() ? status : ExitStatus::error;
}

} // namespace

Command add_info(CLI::App& app) {
    auto options = std::make_shared<InfoOptions>();
    CLI::App* command = app.add_subcommand(
        "info", "Describe traces: threads, events by kind, locks, variables, modules, metadata, damage");
    command
        ->add_option("FILE", options->files, "Trace files: .htr or text (.std), also compressed (.gz, .zst)")
        ->required();
    command->add_flag("--json", options->json, "Print JSON: an object for one file, a list for several");
    command->add_flag("--threads", options->all_threads, "List all threads, not only the first few");
    add_symbol_options(*command, options->symbols);
    return [options] { return run_info(*options); };
}

} // namespace heddle::cli
