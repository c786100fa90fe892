#include "daemon/fix/run_places.h"

#include "analysis/source/waiting.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace heddle::fix {

std::optional<Located> RunPlaces::accessed(EventId access) const {
    const EventKind kind = trace_[access].kind();
    if (kind == EventKind::atomic_rmw) return expression(access, source::Operation::update);
    return expression(access, writes_memory(kind) ? source::Operation::write : source::Operation::read);
}

std::optional<Located> RunPlaces::locked(EventId acquire) const {
    return expression(acquire, source::Operation::lock);
}

const Source* RunPlaces::source_of(const Place& place) const {
    if (place.line == 0) return nullptr;
    const auto [found, fresh] = files_.try_emplace(place.file, nullptr);
    if (fresh) found->second = sources_.find(trace_.string(place.file));
    return found->second;
}

const source::PlaceMap& RunPlaces::map_of(const Source& source) const {
    std::unique_ptr<source::PlaceMap>& map = maps_[&source];
    if (!map) map = std::make_unique<source::PlaceMap>(source.tree);
    return *map;
}

std::optional<Located> RunPlaces::expression(EventId id, source::Operation operation) const {
    const EventView event = trace_[id];
    const std::string name = operation != source::Operation::lock
                                 ? trace_.accessed_name(event)
                                 : trace_.display_name(ObjectKind::lock, event.target());
    for (StackId frame = event.stack(); frame.valid(); frame = trace_.stacks()[frame.value].caller) {
        const Place& place = trace_.places()[trace_.stacks()[frame.value].place.value];
        const Source* source = source_of(place);
        if (source == nullptr) continue;
        const auto found = map_of(*source).locate(
            {.line = place.line, .column = place.column, .operation = operation, .name = name});
        if (!found || !found->exact) return std::nullopt;
        return Located{source, found->range};
    }
    return std::nullopt;
}

std::vector<Located> RunPlaces::calls(EventId event) const {
    std::vector<Located> result;
    for (StackId frame = trace_[event].stack(); frame.valid(); frame = trace_.stacks()[frame.value].caller) {
        const Place& place = trace_.places()[trace_.stacks()[frame.value].place.value];
        const Source* source = source_of(place);
        if (source == nullptr) continue;
        const auto line = map_of(*source).line_at(place.line);
        if (!line) continue;
        const std::uint32_t at = place.column == 0 ? line->first : line->first + place.column - 1;
        result.push_back({source, {at, at + 1}});
    }
    return result;
}

bool RunPlaces::is_in_destructor(EventId event) const {
    for (StackId frame = trace_[event].stack(); frame.valid(); frame = trace_.stacks()[frame.value].caller) {
        const Place& place = trace_.places()[trace_.stacks()[frame.value].place.value];
        const std::string_view function = trace_.string(place.function);
        if (function.starts_with('~') || function.find("::~") != std::string_view::npos) return true;
    }
    return false;
}

bool RunPlaces::is_in(const Place& place, const Source& source, source::ByteRange range) const {
    if (source_of(place) != &source) return false;
    const auto line = map_of(source).line_at(place.line);
    if (!line) return false;
    // Without a column, a line counts as soon as part of it is in the range.
    return place.column == 0 ? line->first < range.end && line->end > range.first
                             : range.contains(line->first + place.column - 1);
}

bool RunPlaces::is_in(EventId event, const Source& source, source::ByteRange range) const {
    for (StackId frame = trace_[event].stack(); frame.valid(); frame = trace_.stacks()[frame.value].caller) {
        const Place& place = trace_.places()[trace_.stacks()[frame.value].place.value];
        if (source_of(place) != nullptr) return is_in(place, source, range);
    }
    return false;
}

bool RunPlaces::may_come_again(StackId stack, const Source& source, source::ByteRange piece) const {
    for (StackId frame = stack; frame.valid(); frame = trace_.stacks()[frame.value].caller) {
        const Place& place = trace_.places()[trace_.stacks()[frame.value].place.value];
        const Source* text = source_of(place);
        if (text == nullptr || place.column == 0) continue;
        const auto line = map_of(*text).line_at(place.line);
        if (!line) continue;
        const std::uint32_t byte = line->first + place.column - 1;
        const bool in_piece = text == &source && piece.contains(byte);
        const source::ByteRange all = in_piece ? piece : text->tree.root().range();
        if (source::may_come_again(text->tree, all, byte)) return true;
        if (in_piece) return false;
    }
    return false;
}

std::vector<EventId> RunPlaces::repeated(const std::vector<HeldSpan>& spans, const Source& source,
                                         source::ByteRange piece) const {
    std::map<StackId, bool> known;
    std::vector<EventId> result;
    for (const HeldSpan& span : spans) {
        const ThreadIndex& events = trace_.events_of(span.thread);
        for (std::size_t i = trace_.index_in_thread(span.first);
             i < events.size() && events[i] <= span.last.value; ++i) {
            const EventView event = trace_[EventId{events[i]}];
            if (!is_access(event.kind()) || !event.stack().valid()) continue;
            const auto [found, fresh] = known.try_emplace(event.stack(), false);
            if (fresh) found->second = may_come_again(event.stack(), source, piece);
            if (found->second) result.push_back(event.id());
        }
    }
    std::ranges::sort(result);
    return result;
}

Executions RunPlaces::executions_in(const Source& source, source::ByteRange range) const {
    std::vector<bool> inside(trace_.places().size());
    for (std::size_t i = 0; i < inside.size(); ++i) inside[i] = is_in(trace_.places()[i], source, range);
    Executions runs = executions(trace_, inside);
    if (!source::has_loop(source.tree, range)) runs.unbroken = runs.all;
    return runs;
}

} // namespace heddle::fix
