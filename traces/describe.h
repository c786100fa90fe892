// One event in words for people: "write acct->balance = 100", "acquire acct->mu".
#pragma once

#include "traces/trace.h"

#include <cstdint>
#include <string>

namespace heddle {

/// Small numbers as people count, large ones as addresses look.
[[nodiscard]] std::string value_text(std::uint64_t value);

/// What happened, without thread and place.
[[nodiscard]] std::string describe(const Trace& trace, const EventView& event);

/// "T2": threads may share their names. A name that already looks so is taken as it is; the others get the
/// numbers that are left. O(threads).
[[nodiscard]] std::string short_name(const Trace& trace, ThreadId thread);
/// "T2 teller", or "T2" when it has no other name.
[[nodiscard]] std::string full_name(const Trace& trace, ThreadId thread);

/// The event's call stack, innermost frame first: "deposit@bank.cpp:41:9 < main@bank.cpp:90:3".
[[nodiscard]] std::string stack_text(const Trace& trace, StackId stack);

} // namespace heddle
