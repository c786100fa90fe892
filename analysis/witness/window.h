// The part of a run within which a schedule is looked for.
#pragma once

#include "analysis/property.h"
#include "analysis/ucg.h"
#include "analysis/witness/run_index.h"
#include "traces/id.h"
#include "traces/trace.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace heddle {

struct Window {
    EventId base{0U}; ///< all events before it are taken, as recorded
    /// By thread: how many of its events, from its first on, a schedule may take. At least those before
    /// `base`.
    std::vector<std::uint32_t> ends;
    /// Whether a property that no schedule of the window reaches, whatever memory holds at `base`, is reached
    /// by no schedule of the run.
    bool complete = false;
};

/// How many events of a thread lie before a bound.
[[nodiscard]] std::uint32_t count_before(const ThreadIndex& events, std::uint32_t bound);

/// Makes the windows of properties. Cheap to make itself.
class WindowMaker {
  public:
    WindowMaker(const Trace& trace, const CausalityGraph& causality, const RunIndex& index)
        : trace_(trace), causality_(causality), index_(index) {}

    /// Only what the property needs if all goes as recorded: events forced to come before, writes that reads
    /// saw, and what gives locks back. Nothing if that is more than `max_events`.
    [[nodiscard]] std::optional<Window> needed(const Property& property, EventId base,
                                               std::size_t max_events) const;

    /// All events from the base to the end of the run, but what the property stops.
    [[nodiscard]] Window whole(const Property& property, EventId base) const;

    /// The latest base at which no thread of the property holds a lock that it holds at its events.
    [[nodiscard]] EventId base_without_locks(const Property& property) const;

  private:
    const Trace& trace_;
    const CausalityGraph& causality_;
    const RunIndex& index_;
};

} // namespace heddle
