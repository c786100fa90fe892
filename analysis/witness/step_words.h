// A step of a schedule in as few words as a narrow column needs: "lock acct->mu", "read ready".
#pragma once

#include "traces/trace.h"

#include <string>

namespace heddle {

[[nodiscard]] std::string step_words(const Trace& trace, const EventView& event);
/// What an access reads or writes: "= 1", "3 → 4"; empty when that was not recorded, and for other events.
[[nodiscard]] std::string value_words(const Trace& trace, const EventView& event);

} // namespace heddle
