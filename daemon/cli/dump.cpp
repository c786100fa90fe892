// heddle dump: events for people, one a line.
#include "daemon/cli/command.h"
#include "daemon/cli/loading.h"
#include "daemon/cli/output.h"
#include "daemon/cli/progress_bar.h"
#include "daemon/report/event_json.h"
#include "traces/describe.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::cli {

namespace {

struct DumpOptions {
    std::string file;
    std::string thread;
    std::string range;
    bool stacks = false;
    bool json = false;
    SymbolFlags symbols;
};

struct Range {
    std::size_t first = 0;
    std::size_t last = 0; ///< one past
};

std::optional<std::size_t> number(std::string_view text) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// "A:B", "A:", ":B": event numbers from A up to but not including B.
Result<Range> parse_range(std::string_view text, std::size_t size) {
    if (text.empty()) return Range{0, size};
    const std::size_t colon = text.find(':');
    const auto wrong = [&] {
        return fail(fmt::format("--range takes A:B with event numbers, not '{}'", text));
    };
    if (colon == std::string_view::npos) return wrong();
    const std::string_view before = text.substr(0, colon);
    const std::string_view after = text.substr(colon + 1);
    const auto first = before.empty() ? std::optional<std::size_t>(0) : number(before);
    const auto last = after.empty() ? std::optional<std::size_t>(size) : number(after);
    if (!first || !last || *first > *last) return wrong();
    return Range{std::min(*first, size), std::min(*last, size)};
}

Result<ThreadId> find_thread(const Trace& trace, const std::string& name) {
    for (std::size_t i = 0; i < trace.thread_count(); ++i) {
        if (trace.display_name(ObjectKind::thread, static_cast<std::uint32_t>(i)) == name) return ThreadId{i};
    }
    return fail(fmt::format("there is no thread '{}'; heddle info --threads lists them", name));
}

std::string text_line(const Trace& trace, const EventView& event, std::size_t thread_width, bool stacks) {
    std::string line = fmt::format("{:>8}  {:<{}}  {}", event.id().value,
                                   trace.display_name(ObjectKind::thread, event.thread().value), thread_width,
                                   describe(trace, event));
    const std::string place =
        stacks ? stack_text(trace, event.stack()) : trace.place_text(trace.place_of(event.stack()));
    if (!place.empty()) line += fmt::format("{:>{}}  {}", "", line.size() < 60 ? 60 - line.size() : 0, place);
    return line;
}

nlohmann::json json_line(const Trace& trace, const EventView& event) {
    nlohmann::json json = report::event_json(trace, event);
    for (StackId at = event.stack(); at.valid(); at = trace.stacks()[at.value].caller) {
        json["stack"].push_back(trace.place_text(trace.stacks()[at.value].place));
    }
    return json;
}

ExitStatus run_dump(const DumpOptions& options) {
    Loading loading(options.symbols);
    const auto loaded = with_progress("reading " + options.file, [&](const Progress& progress) {
        return loading.load(options.file, {.progress = progress});
    });
    if (!loaded) {
        print_error(loaded.error().message);
        return ExitStatus::error;
    }
    const Trace& trace = loaded->trace;
    const auto range = parse_range(options.range, trace.size());
    const auto thread =
        options.thread.empty() ? Result<ThreadId>(ThreadId{}) : find_thread(trace, options.thread);
    if (!range || !thread) {
        print_error(range ? thread.error().message : range.error().message);
        return ExitStatus::error;
    }
    std::size_t width = 0;
    for (std::size_t i = 0; i < trace.thread_count(); ++i) {
        width = std::max(width, trace.display_name(ObjectKind::thread, static_cast<std::uint32_t>(i)).size());
    }
    Output out;
    for (const EventView event : trace.events(EventId{range->first}, EventId{range->last})) {
        if (thread->valid() && event.thread() != *thread) continue;
        out.line(options.json
                     ? json_line(trace, event).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)
                     : text_line(trace, event, width, options.stacks));
    }
    if (!out.finish()) return ExitStatus::error;
    print_notes(loaded->notes);
    print_damage(loaded->damage);
    return loaded->damage.empty() ? ExitStatus::fine : ExitStatus::damage;
}

} // namespace

Command add_dump(CLI::App& app) {
    auto options = std::make_shared<DumpOptions>();
    CLI::App* command = app.add_subcommand("dump", "Print the events of a trace, one a line");
    command->add_option("FILE", options->file, "Trace file")->required();
    command->add_option("--thread", options->thread, "Only events of this thread")->type_name("NAME");
    command->add_option("--range", options->range, "Only events A to B-1; either end may be left out")
        ->type_name("A:B");
    command->add_flag("--stacks", options->stacks, "Whole call stacks, innermost frame first");
    command->add_flag("--json", options->json, "One JSON object a line");
    add_symbol_options(*command, options->symbols);
    return [options] { return run_dump(*options); };
}

} // namespace heddle::cli
