// A trace in numbers. One pass, O(events).
#pragma once

#include "traces/event.h"
#include "traces/trace.h"

#include <array>
#include <cstdint>
#include <vector>

namespace heddle {

struct Summary {
    std::array<std::uint64_t, kEventKinds> by_kind{};
    std::vector<std::uint64_t> by_thread; ///< events of each thread
    std::uint64_t shared_variables = 0;   ///< accessed by more than one thread
    std::uint64_t accesses = 0;
    std::uint64_t accesses_with_value = 0;
};

[[nodiscard]] Summary summarize(const Trace& trace);

} // namespace heddle
