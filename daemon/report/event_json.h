// An event of a trace for machines (docs/command-line.md), the same way in every command.
#pragma once

#include "traces/trace.h"

#include <nlohmann/json_fwd.hpp>

namespace heddle::report {

/// What happened: `event`, `thread`, `thread_id`, `op`, and where they apply `target`, `value`, `value_read`,
/// `order`, `bytes`.
[[nodiscard]] nlohmann::json event_json(const Trace& trace, const EventView& event);

/// Where: adds `place`, `file`, `line`, `column`, `function`; nothing when the place is not known.
void add_place(const Trace& trace, PlaceId id, nlohmann::json& json);

} // namespace heddle::report
