#include "traces/text/place_texts.h"

#include "traces/text/notation.h"

#include <fmt/format.h>

namespace heddle::text {

namespace {

/// Beyond this many bytes of remembered texts, stacks are spelled out each time.
constexpr std::size_t kMaxTexts = std::size_t{64} << 20U;
constexpr std::string_view kWordPrefix = "place#";

} // namespace

PlaceTexts::PlaceTexts(const Trace& trace)
    : trace_(trace), declared_(trace.places().size()), known_(trace.stacks().size()) {
    ModulePaths modules;
    for (std::size_t i = 0; i < trace.modules().size(); ++i) {
        modules.add(trace.string(trace.modules()[i].path), ModuleId{i});
    }
    std::string text;
    for (std::size_t i = 0; i < declared_.size(); ++i) {
        const Frame frame = frame_of(trace, trace.places()[i]);
        text.clear();
        append_frame(text, frame, trace);
        // "<" alone between two others would not be told from what joins them, and 0 and -1 mean no place.
        const bool ambiguous =
            text.empty() || text == "<" || text == "0" || text == "-1" || text.starts_with(kWordPrefix);
        declared_[i] = ambiguous || parse_frame(text, modules) != frame;
    }
}

std::string PlaceTexts::word(std::uint32_t place) {
    return fmt::format("{}{}", kWordPrefix, place);
}

void PlaceTexts::append_new(std::string& out, StackId stack) {
    const std::size_t start = out.size();
    append_place(out, trace_.stacks()[stack.value].place);
    for (StackId at = trace_.stacks()[stack.value].caller; at.valid();
         at = trace_.stacks()[at.value].caller) {
        out += " < ";
        append_place(out, trace_.stacks()[at.value].place);
    }
    const std::size_t length = out.size() - start;
    if (texts_.size() + length > kMaxTexts) return;
    known_[stack.value] = {static_cast<std::uint32_t>(texts_.size()), static_cast<std::uint32_t>(length)};
    texts_.append(out, start, length);
}

void PlaceTexts::append_place(std::string& out, PlaceId id) {
    if (declared_[id.value]) {
        out += word(id.value);
        return;
    }
    frame_.clear();
    append_frame(frame_, frame_of(trace_, trace_.places()[id.value]), trace_);
    append_escaped(out, frame_, Within::frame);
}

} // namespace heddle::text
