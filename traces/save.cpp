#include "traces/save.h"

#include "traces/chrome/writer.h"
#include "traces/htr/write_trace.h"
#include "traces/io/file_sink.h"
#include "traces/text/writer.h"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

namespace heddle {

namespace {

/// A .htr is written through a descriptor of its own, so it gets its final name here.
Result<Saved> save_htr(const Trace& trace, const std::string& path, const SaveOptions& options,
                       const Progress& progress) {
    const std::string temporary = fmt::format("{}.{}.partial", path, ::getpid());
    auto written =
        htr::write_trace(trace, temporary, {.stream_per_thread = options.stream_per_thread}, progress);
    std::error_code error;
    if (written) {
        std::filesystem::rename(temporary, path, error);
        if (!error) return Saved{};
        written = fail(fmt::format("{}: cannot be written: {}", path, error.message()));
    }
    std::filesystem::remove(temporary, error);
    return tl::make_unexpected(written.error());
}

Result<Saved> save_text(const Trace& trace, const std::string& path, const SaveOptions& options,
                        const Progress& progress) {
    FileSink sink(path);
    auto report = write_text(trace, sink, {.plain = options.plain, .progress = progress});
    if (!report) return tl::make_unexpected(report.error());
    if (auto finished = sink.finish(); !finished) return tl::make_unexpected(finished.error());
    return Saved{std::move(report->notes)};
}

Result<Saved> save_chrome(const Trace& trace, const std::string& path, const Progress& progress) {
    FileSink sink(path);
    auto lost = chrome::write_trace(trace, sink, progress);
    if (!lost) return tl::make_unexpected(lost.error());
    if (auto finished = sink.finish(); !finished) return tl::make_unexpected(finished.error());
    return Saved{std::move(*lost)};
}

} // namespace

Result<SaveFormat> format_of_path(std::string_view path) {
    if (path.ends_with(".htr")) return SaveFormat::htr;
    if (path.ends_with(".std") || path.ends_with(".txt")) return SaveFormat::text;
    if (path.ends_with(".json")) return SaveFormat::chrome;
    return fail(
        fmt::format("{}: the ending does not tell the format: use .htr, .std or .json, or --to", path));
}

Result<SaveFormat> format_named(std::string_view name) {
    if (name == "htr") return SaveFormat::htr;
    if (name == "std") return SaveFormat::text;
    if (name == "chrome") return SaveFormat::chrome;
    return fail(fmt::format("there is no format '{}': htr, std and chrome are known", name));
}

Result<Saved> save_trace(const Trace& trace, const std::string& path, const SaveOptions& options,
                         const Progress& progress) {
    switch (options.format) {
    case SaveFormat::htr: return save_htr(trace, path, options, progress);
    case SaveFormat::text: return save_text(trace, path, options, progress);
    case SaveFormat::chrome: return save_chrome(trace, path, progress);
    }
    return fail("unknown format");
}

} // namespace heddle
