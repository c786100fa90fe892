// The order that every witness must keep because of what was read: the hard order (hard_order.h), and that a
// read comes after the write that it saw, where no other write could have given it the same value. Which
// events can never be at hand together is told in O(log events).
//
// Says less than there is to know where values repeat in a short time, and nothing wrong. Which values repeat
// is known only at the end of the run, so this is made anew when the run has grown: O(events log events +
// edges × threads), a few times. docs/algorithms.md, "The order of data".
#pragma once

#include "analysis/property.h"
#include "analysis/seed_edges.h"
#include "analysis/witness/run_index.h"
#include "traces/trace.h"

#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

class DataOrder {
  public:
    DataOrder() = default;
    DataOrder(const Trace& trace, const SeedEdges& seeds, const RunIndex& index);

    /// How many events of `other` come before `thread` has taken so many of its own.
    [[nodiscard]] std::uint32_t needed(ThreadId thread, std::uint32_t taken, ThreadId other) const {
        const std::span<const std::uint32_t> clock = clock_at(thread, taken);
        return clock.empty() ? 0 : clock[other.value];
    }

    /// An event, with its place in its thread.
    struct Place {
        EventId event;
        ThreadId thread;
        std::uint32_t index = 0;
    };
    [[nodiscard]] Place place(const Trace& trace, EventId event) const {
        return {event, trace[event].thread(), positions_[event.value]};
    }

    /// Whether two threads can stand before these events at the same time.
    [[nodiscard]] bool may_meet(const Place& a, const Place& b) const {
        return needed(a.thread, a.index, b.thread) <= b.index &&
               needed(b.thread, b.index, a.thread) <= a.index;
    }
    /// Whether the remote event can come between the two of one thread.
    [[nodiscard]] bool may_separate(const Place& first, const Place& remote, const Place& second) const {
        return needed(first.thread, first.index + 1, remote.thread) <= remote.index &&
               needed(remote.thread, remote.index, second.thread) <= second.index;
    }
    /// Of any property.
    [[nodiscard]] bool allows(const Trace& trace, const Property& property) const;

  private:
    class Clocks;
    class Sources;
    class Maker;

    /// Once so many events of the thread are taken, this clock holds.
    struct Row {
        std::uint32_t taken = 0;
        std::size_t first = 0; ///< in ticks_
    };

    /// By thread, how many of its events come first; empty: none of any.
    [[nodiscard]] std::span<const std::uint32_t> clock_at(ThreadId thread, std::uint32_t taken) const;

    std::size_t width_ = 0;              ///< threads
    std::vector<std::vector<Row>> rows_; ///< by thread, ascending
    std::vector<std::uint32_t> ticks_;
    std::vector<std::uint32_t> positions_; ///< by event: its place in its thread
};

} // namespace heddle
