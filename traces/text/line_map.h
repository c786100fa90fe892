// Which line of a text trace an event came from. Most lines are events, so only the places where the
// distance between the two changes are kept.
#pragma once

#include "traces/id.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace heddle {

class LineMap {
  public:
    /// Events come in order, lines count from 1.
    void add(EventId event, std::uint64_t line) {
        if (runs_.empty() || line - event.value != runs_.back().line - runs_.back().event) {
            runs_.push_back({event.value, line});
        }
    }

    /// The line of an event; 0 when it came from none.
    [[nodiscard]] std::uint64_t line_of(EventId event) const {
        const auto after = std::upper_bound(runs_.begin(), runs_.end(), event.value,
                                            [](std::uint32_t id, const Run& run) { return id < run.event; });
        if (after == runs_.begin()) return 0;
        const Run& run = *std::prev(after);
        return run.line + (event.value - run.event);
    }

    [[nodiscard]] std::size_t runs() const { return runs_.size(); }

  private:
    struct Run {
        std::uint32_t event = 0;
        std::uint64_t line = 0;
    };
    std::vector<Run> runs_;
};

} // namespace heddle
