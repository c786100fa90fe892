// Any bytes can be read as text without harm, and what was read can be written and read again without
// loss. The shortcut for common lines must take lines apart as the full parser does.
#include "traces/text/common_line.h"
#include "traces/text/line_parser.h"
#include "traces/text/reader.h"
#include "traces/text/writer.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

using namespace heddle;

void require(bool holds, std::string_view what, std::string_view text) {
    if (holds) return;
    std::fprintf(stderr, "%.*s:\n%.*s\n", static_cast<int>(what.size()), what.data(),
                 static_cast<int>(text.size()), text.data());
    std::abort();
}

bool same_attributes(const text::Attributes& a, const text::Attributes& b) {
    return a.order == b.order && a.bytes == b.bytes && a.has_value == b.has_value &&
           a.unmatched == b.unmatched && a.value == b.value && a.value_read == b.value_read;
}

void check_common_line(std::string_view line) {
    text::ParsedLine shortcut;
    if (line.find('\\') != std::string_view::npos || !text::parse_common_line(line, shortcut)) return;
    text::ParsedLine full;
    text::LineParser parser;
    require(parser.parse(line, false, full), "only the shortcut reads", line);
    require(shortcut.thread == full.thread && shortcut.target == full.target &&
                shortcut.place == full.place && shortcut.operation.kind == full.operation.kind &&
                !full.operation.is_skipped() && same_attributes(shortcut.attributes, full.attributes),
            "the shortcut differs on", line);
}

void check_round_trip(const Trace& trace) {
    MemorySink written;
    const auto report = write_text(trace, written);
    require(report.has_value() && report->notes.empty(), "not written exactly", written.bytes());
    const auto source = bytes_in_memory(written.bytes());
    const auto again = read_text(*source, "again");
    require(again.has_value(), "cannot be read again", written.bytes());
    if (!again->damage.empty()) require(false, again->damage.kept().front().text(), written.bytes());
    require(again->trace == trace, "differs when read again", written.bytes());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    for (std::string_view rest = bytes; !rest.empty();) {
        const std::size_t length = std::min(rest.find('\n'), rest.size());
        check_common_line(rest.substr(0, length));
        rest.remove_prefix(std::min(length + 1, rest.size()));
    }
    const auto source = bytes_in_memory(bytes);
    const auto read = read_text(*source, "fuzz");
    if (!read) return 0;
    check_round_trip(read->trace);
    MemorySink plain;
    require(write_text(read->trace, plain, {.plain = true}).has_value(), "not written plainly", bytes);
    return 0;
}
