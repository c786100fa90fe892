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
#include "analysis/witness/data_sources.h"
#include "analysis/witness/run_index.h"
#include "analysis/workers.h"
#include "traces/trace.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace heddle {

class DataOrder {
  public:
    DataOrder() = default;
    DataOrder(const Trace& trace, const SeedEdges& seeds, const RunIndex& index, const Workers& workers = {});

    /// How many events of `other` come before `thread` has taken so many of its own.
    [[nodiscard]] std::uint32_t needed(ThreadId thread, std::uint32_t taken, ThreadId other) const {
        const std::span<const std::uint32_t> clock = clock_at(thread, taken);
        return clock.empty() ? 0 : clock[other.value];
    }

    /// How many events of `thread` have to be taken for more than so many of `other` to come first; or more
    /// than it has. O(log events).
    [[nodiscard]] std::uint32_t least_needing(ThreadId thread, ThreadId other, std::uint32_t more_than) const;

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

    /// The bytes of a read, a bit each, that see in every witness the very write that they saw.
    [[nodiscard]] std::uint8_t fixed_bytes(const Trace& trace, const RunIndex& index, EventId read) const;

  private:
    class Clocks;
    class Maker;

    /// Once so many events of the thread are taken, this clock holds.
    struct Row {
        std::uint32_t taken = 0;
        std::size_t first = 0; ///< in ticks_
    };
    /// Of one thread, ascending.
    struct Rows {
        static constexpr std::uint32_t kBlock = 64;

        void add(const Row& row);
        /// How many hold once so many events are taken, or held before.
        [[nodiscard]] std::size_t count_up_to(std::uint32_t taken) const;

        std::vector<Row> rows;
        std::vector<std::uint32_t> blocks; ///< for each block of so many events: the rows before it
    };

    /// By thread, how many of its events come first; empty: none of any.
    [[nodiscard]] std::span<const std::uint32_t> clock_at(ThreadId thread, std::uint32_t taken) const;

    std::size_t width_ = 0;  ///< threads
    std::vector<Rows> rows_; ///< by thread
    std::vector<std::uint32_t> ticks_;
    std::vector<std::uint32_t> positions_; ///< by event: its place in its thread
    std::vector<std::uint8_t> sights_;     ///< by event: the bytes of a read that were found to be fixed
    std::optional<DataSources> sources_;
};

} // namespace heddle
