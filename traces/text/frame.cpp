#include "traces/text/frame.h"

#include "traces/text/notation.h"

#include <charconv>
#include <iterator>
#include <optional>

#include <fmt/format.h>

namespace heddle::text {

namespace {

constexpr std::size_t kNone = std::string_view::npos;

/// Takes `:digits` off the end of `text`.
std::optional<std::uint32_t> take_number(std::string_view& text) {
    const std::size_t colon = text.rfind(':');
    if (colon == kNone || colon == 0) return std::nullopt;
    std::uint32_t number = 0;
    const char* end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data() + colon + 1, end, number);
    if (error != std::errc{} || at != end) return std::nullopt;
    text = text.substr(0, colon);
    return number;
}

/// Takes `function@` off the front of `text`.
std::string_view take_function(std::string_view& text) {
    const std::size_t at = text.find('@');
    if (at == kNone) return {};
    const std::string_view function = text.substr(0, at);
    text.remove_prefix(at + 1);
    return function;
}

/// `[function@]file:line[:column]`
std::optional<Frame> parse_source(std::string_view text) {
    Frame frame;
    const std::optional<std::uint32_t> last = take_number(text);
    if (!last) return std::nullopt;
    const std::optional<std::uint32_t> before = take_number(text);
    frame.line = before.value_or(*last);
    frame.column = before ? *last : 0;
    frame.function = take_function(text);
    frame.file = text;
    if (frame.line == 0 || frame.file.empty()) return std::nullopt;
    return frame;
}

/// `[…]module+0xOFFSET`
std::optional<Frame> parse_code(std::string_view text, const ModulePaths& modules) {
    const std::size_t plus = text.rfind("+0x");
    if (plus == kNone) return std::nullopt;
    const std::optional<std::uint64_t> offset = parse_number(text.substr(plus + 1));
    if (!offset) return std::nullopt;
    std::string_view rest = text.substr(0, plus);
    if (const ModuleId module = modules.find(rest); module.valid()) {
        return Frame{.module = module, .offset = *offset};
    }
    if (const std::size_t equals = rest.rfind('='); equals != kNone) {
        const ModuleId module = modules.find(rest.substr(equals + 1));
        std::optional<Frame> source = module.valid() ? parse_source(rest.substr(0, equals)) : std::nullopt;
        if (source) {
            source->module = module;
            source->offset = *offset;
            return source;
        }
    }
    const std::string_view function = take_function(rest);
    const ModuleId module = modules.find(rest);
    if (!module.valid()) return std::nullopt;
    return Frame{.function = function, .module = module, .offset = *offset};
}

} // namespace

Frame parse_frame(std::string_view text, const ModulePaths& modules) {
    if (const std::optional<Frame> code = parse_code(text, modules)) return *code;
    if (const std::optional<Frame> source = parse_source(text)) return *source;
    return Frame{.label = text};
}

Frame frame_of(const Trace& trace, const Place& place) {
    return {.label = trace.string(place.label),
            .function = trace.string(place.function),
            .file = trace.string(place.file),
            .line = place.line,
            .column = place.column,
            .module = place.module,
            .offset = place.offset};
}

void append_frame(std::string& out, const Frame& frame, const Trace& trace) {
    const std::string_view module =
        frame.module.valid() ? trace.string(trace.modules()[frame.module.value].path) : std::string_view{};
    // An empty function keeps an @ in the path from ending one.
    if (!frame.function.empty() || frame.file.find('@') != kNone) {
        out.append(frame.function).push_back('@');
    }
    const auto to = std::back_inserter(out);
    if (!frame.file.empty()) {
        fmt::format_to(to, "{}:{}", frame.file, frame.line);
        if (frame.column != 0) fmt::format_to(to, ":{}", frame.column);
        if (frame.module.valid()) out += '=';
    }
    if (frame.module.valid()) fmt::format_to(to, "{}+0x{:x}", module, frame.offset);
    if (frame.file.empty() && !frame.module.valid()) out += frame.label;
}

} // namespace heddle::text
