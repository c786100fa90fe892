#include "traces/load.h"

#include "traces/htr/reader.h"
#include "traces/io/byte_source.h"
#include "traces/io/random_access.h"
#include "traces/rules.h"
#include "traces/text/reader.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

namespace heddle {

namespace {

struct Detected {
    TraceFormat format = TraceFormat::text;
    std::uint64_t file_bytes = 0;
};

Result<Detected> detect(const std::string& path) {
    auto file = open_file(path);
    if (!file) return tl::make_unexpected(file.error());
    std::array<std::uint8_t, htr::kFileMagic.size()> start{};
    const auto got = (*file)->read_at(0, start);
    const auto size = (*file)->size();
    if (!got) return tl::make_unexpected(got.error());
    if (!size) return tl::make_unexpected(size.error());
    if (*size == 0) return fail(fmt::format("{}: is empty", path));
    // A .htr cut off within its first bytes is still told from text: text never starts with byte 0x89.
    const bool is_htr =
        std::equal(start.begin(), start.begin() + static_cast<std::ptrdiff_t>(*got), htr::kFileMagic.begin());
    return Detected{is_htr ? TraceFormat::htr : TraceFormat::text, *size};
}

/// Where an event stands, for messages about it: its line in a text file, its number otherwise.
std::string whereabouts(const std::string& path, const Trace& trace, EventId event, const LineMap* lines) {
    if (lines != nullptr) return fmt::format("{}:{}", path, lines->line_of(event));
    const std::string place = trace.place_text(trace.place_of(trace[event].stack()));
    return fmt::format("{}: event {}{}", path, event.value, place.empty() ? "" : " at " + place);
}

void keep_the_rules(const std::string& path, const LoadOptions& options, const LineMap* lines,
                    LoadedTrace& loaded) {
    const RuleReport report = check_rules(loaded.trace, options.limits);
    for (const RuleBreak& broken : report.kept) {
        loaded.damage.add(
            {DamageKind::rule, whereabouts(path, loaded.trace, broken.event, lines), broken.what});
    }
    loaded.damage.add_uncounted_text(report.total - report.kept.size());
    if (report.recursive_acquisitions > 0) {
        loaded.notes.push_back(
            fmt::format("{}: {} recursive acquisitions were left out: only the outermost counts", path,
                        report.recursive_acquisitions));
    }
    loaded.trace = without_broken(loaded.trace, report);
}

} // namespace

Result<LoadedTrace> load_trace(const std::string& path, const LoadOptions& options) {
    const auto detected = detect(path);
    if (!detected) return tl::make_unexpected(detected.error());
    LoadedTrace loaded{.format = detected->format, .file_bytes = detected->file_bytes};

    if (detected->format == TraceFormat::htr) {
        auto read = htr::read_trace(path, {.limits = options.limits, .progress = options.progress});
        if (!read) return tl::make_unexpected(read.error());
        loaded.trace = std::move(read->trace);
        loaded.damage = std::move(read->damage);
        keep_the_rules(path, options, nullptr, loaded);
        return loaded;
    }
    auto source = open_bytes(path);
    if (!source) return tl::make_unexpected(source.error());
    auto read = read_text(**source, path, {.limits = options.limits, .progress = options.progress});
    if (!read) return tl::make_unexpected(read.error());
    loaded.trace = std::move(read->trace);
    loaded.damage = std::move(read->damage);
    loaded.notes = std::move(read->notes);
    keep_the_rules(path, options, &read->lines, loaded);
    return loaded;
}

} // namespace heddle
