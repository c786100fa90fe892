#include "daemon/report/event_json.h"

#include <nlohmann/json.hpp>

namespace heddle::report {

nlohmann::json event_json(const Trace& trace, const EventView& event) {
    const KindTraits& about = traits(event.kind());
    nlohmann::json json = {{"event", event.id().value},
                           {"thread", trace.display_name(ObjectKind::thread, event.thread().value)},
                           {"thread_id", event.thread().value},
                           {"op", about.text}};
    if (is_access(event.kind())) {
        json["target"] = trace.accessed_name(event);
    } else if (event.has_target()) {
        json["target"] = trace.display_name(*about.target, event.target());
    }
    if (event.has_value()) json["value"] = trace.value_of(event);
    if (event.has_value() && event.kind() == EventKind::atomic_rmw)
        json["value_read"] = trace.value_read_by(event);
    if (event.order() != MemoryOrder::none)
        json["order"] = kMemoryOrderNames[static_cast<std::size_t>(event.order())];
    if (is_access(event.kind()) && !event.bytes().whole()) {
        json["bytes"] = {event.bytes().offset, event.bytes().size};
    }
    return json;
}

void add_place(const Trace& trace, PlaceId id, nlohmann::json& json) {
    if (!id.valid()) return;
    const Place& place = trace.places()[id.value];
    json["place"] = trace.place_text(id);
    json["file"] = trace.string(place.file);
    json["line"] = place.line;
    json["column"] = place.column;
    json["function"] = trace.string(place.function);
}

} // namespace heddle::report
