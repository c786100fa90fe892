// Places and objects of a trace in the terms of a report.
#pragma once

#include "daemon/report/report.h"
#include "daemon/report/source_expressions.h"
#include "traces/trace.h"

#include <string>

namespace heddle::report {

[[nodiscard]] source::Operation operation_at(const EventView& event);
/// What the event is about, as debug information calls it; empty when it is about nothing that has a name.
[[nodiscard]] std::string object_at(const Trace& trace, const EventView& event);
/// The place as the trace has it, in the file where it is now.
[[nodiscard]] SourcePlace source_place(const Trace& trace, PlaceId id, const SourceExpressions& expressions);

} // namespace heddle::report
