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
    return display_name(kind, id, 0);
}

std::string Trace::display_name(ObjectKind kind, std::uint32_t id, std::uint64_t offset) const {
    const Object& object = objects(kind)[id];
    const std::string_view name = string(object.name);
    if (!name.empty()) return std::string(name);
    if (kind == ObjectKind::thread) return fmt::format("T{}", id);
    if (is_named_by_block(object)) {
        const Object& block = objects(ObjectKind::block)[object.block.value];
        const std::uint64_t at = object.address + offset - block.address;
        return at == 0 ? std::string(string(block.name)) : fmt::format("{} + {}", string(block.name), at);
    }
    if (object.address != 0) return fmt::format("0x{:x}", object.address);
    return fmt::format("{}#{}", kObjectKindNames[static_cast<std::size_t>(kind)], id);
}

bool Trace::is_named_by_block(const Object& object) const {
    if (object.name.value != 0 || object.address == 0 || !object.block.valid()) return false;
    return objects(ObjectKind::block)[object.block.value].name.value != 0;
}

const VariablePart* Trace::accessed_part(const EventView& access) const {
    if (variable_parts_.empty() || !is_access(access.kind())) return nullptr;
    std::size_t low = 0;
    std::size_t high = variable_parts_.size();
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (variable_parts_[middle].variable < access.variable()) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const ByteRange bytes = access.bytes();
    for (; low < variable_parts_.size() && variable_parts_[low].variable == access.variable(); ++low) {
        const VariablePart& part = variable_parts_[low];
        if (part.bytes.offset <= bytes.offset &&
            bytes.offset + bytes.size <= part.bytes.offset + part.bytes.size) {
            return &part;
        }
    }
    return nullptr;
}

std::string Trace::accessed_name(const EventView& access) const {
    if (const VariablePart* part = accessed_part(access)) return std::string(string(part->name));
    return display_name(ObjectKind::variable, access.variable().value, access.bytes().offset);
}

bool Trace::tells_bytes(const EventView& access) const {
    if (const VariablePart* part = accessed_part(access)) return access.bytes() == part->bytes;
    const Object& variable = objects(ObjectKind::variable)[access.variable().value];
    return access.bytes().whole() || is_named_by_block(variable);
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
