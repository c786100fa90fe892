// Text traces in tests: read from a string, written to a string.
#pragma once

#include "traces/text/reader.h"
#include "traces/text/writer.h"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>

namespace heddle {

inline Result<TextTrace> try_read(std::string_view text, const TextReadOptions& options = {}) {
    const auto source = bytes_in_memory(text, "t.std");
    return read_text(*source, "t.std", options);
}

/// Reads text that is expected to be a trace, damaged or not.
inline TextTrace read(std::string_view text, const TextReadOptions& options = {}) {
    Result<TextTrace> result = try_read(text, options);
    EXPECT_TRUE(result.has_value()) << result.error().message;
    return result ? std::move(*result) : TextTrace{};
}

/// Reads text that is expected to be without damage.
inline Trace trace_of(std::string_view text) {
    TextTrace result = read(text);
    for (const Damage& damage : result.damage.kept()) ADD_FAILURE() << damage.text();
    return result.trace;
}

inline std::vector<Event> events_of(const Trace& trace) {
    std::vector<Event> events;
    for (const EventView event : trace.events()) events.push_back(trace.spelled_out(event));
    return events;
}

inline std::vector<std::string> damage_of(std::string_view text, const TextReadOptions& options = {}) {
    std::vector<std::string> result;
    const TextTrace trace = read(text, options);
    for (const Damage& damage : trace.damage.kept()) result.push_back(damage.text());
    return result;
}

inline std::string text_of(const Trace& trace, const TextWriteOptions& options = {}) {
    MemorySink sink;
    const Result<TextWriteReport> report = write_text(trace, sink, options);
    EXPECT_TRUE(report.has_value());
    return sink.bytes();
}

} // namespace heddle
