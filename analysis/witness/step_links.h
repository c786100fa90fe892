// Which steps of a schedule wait for which of another thread: what a person must see to follow why the
// threads go in this order. Only what happens within the schedule counts, not what went before it.
#pragma once

#include "traces/trace.h"

#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

/// The more telling first.
enum class LinkKind : std::uint8_t {
    order, ///< a notify and the end of a wait, a post and the wait for it, an end and its join, …
    value, ///< a write and a read that sees it
    lock,  ///< a lock that one thread gives back and the other takes
};

/// Positions within the schedule; `from` comes first.
struct StepLink {
    LinkKind kind = LinkKind::order;
    std::uint32_t from = 0;
    std::uint32_t to = 0;

    bool operator==(const StepLink&) const = default;
};

/// Of all links of a kind between two stretches in which one thread runs alone, the one with the latest
/// `from`: the others say nothing more about the order. Ascending by `to`. O(steps).
[[nodiscard]] std::vector<StepLink> links_of(const Trace& trace, std::span<const EventId> steps);

} // namespace heddle
