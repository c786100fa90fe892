#include "traces/trace.h"

#include <fmt/format.h>

namespace heddle {

std::uint32_t Trace::index_in_thread(EventId event) const {
    const ThreadIndex& events = events_of((*this)[event].thread());
    std::size_t low = 0;
    std::size_t high = events.size();
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (events[middle] < event.value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return static_cast<std::uint32_t>(low);
}

Event Trace::spelled_out(const EventView& event) const {
    Event result{.kind = event.kind(),
                 .thread = event.thread(),
                 .target = event.target(),
                 .stack = event.stack(),
                 .order = event.order(),
                 .bytes = event.bytes()};
    if (event.has_value()) {
        result.value = value_of(event);
        if (event.kind() == EventKind::atomic_rmw) result.value_read = value_read_by(event);
    }
    return result;
}

std::string Trace::display_name(ObjectKind kind, std::uint32_t id) const {
    const Object& object = objects(kind)[id];
    const std::string_view name = string(object.name);
    if (!name.empty()) return std::string(name);
    if (kind == ObjectKind::thread) return fmt::format("T{}", id);
    if (object.address != 0) return fmt::format("0x{:x}", object.address);
    return fmt::format("{}#{}", kObjectKindNames[static_cast<std::size_t>(kind)], id);
}

std::string Trace::place_text(PlaceId id) const {
    if (!id.valid()) return {};
    const Place& place = places_[id.value];
    std::string text;
    if (place.function.value != 0) text = fmt::format("{}@", string(place.function));
    if (place.file.value != 0) {
        text += string(place.file);
        if (place.line != 0) text += fmt::format(":{}", place.line);
        if (place.column != 0) text += fmt::format(":{}", place.column);
    } else if (place.module.valid()) {
        text += fmt::format("{}+0x{:x}", string(modules_[place.module.value].path), place.offset);
    } else {
        text += string(place.label);
    }
    return text;
}

} // namespace heddle
