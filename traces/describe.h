// One event in words for people: "write acct->balance = 100", "acquire acct->mu".
#pragma once

#include "traces/trace.h"

#include <string>

namespace heddle {

/// What happened, without thread and place.
[[nodiscard]] std::string describe(const Trace& trace, const EventView& event);

/// The event's call stack, innermost frame first: "deposit@bank.cpp:41:9 < main@bank.cpp:90:3".
[[nodiscard]] std::string stack_text(const Trace& trace, StackId stack);

} // namespace heddle
