#include "traces/rules/rule_log.h"

#include <fmt/format.h>

namespace heddle::rules {

std::string RuleLog::quoted(ObjectKind kind, std::uint32_t id) const {
    return fmt::format("'{}'", trace_->display_name(kind, id));
}

std::string RuleLog::what(const EventView& event) const {
    return quoted(*traits(event.kind()).target, event.target());
}

std::string RuleLog::at(EventId event) const {
    std::string place = trace_->place_text(trace_->place_of((*trace_)[event].stack()));
    return place.empty() ? fmt::format("event {}", event.value) : place;
}

} // namespace heddle::rules
