// The order that every schedule of a run must keep, whatever its locks do: program order and the seed edges
// (fork/join, wait/notify, barriers, once, annotations, release/acquire). Docs: algorithms.md, "feasible".
//
// A thread's events between two that have seed edges are in the same relation to all other threads: one
// *segment*. A segment knows, for each thread, how many of its events must come first. O(events + segments ×
// threads) to build, O(1) to ask.
#pragma once

#include "analysis/seed_edges.h"
#include "traces/trace.h"

#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

using SegmentId = Id<struct SegmentTag>;

class HardOrder {
  public:
    /// `seeds`: the seed edges of the trace.
    HardOrder(const Trace& trace, const SeedEdges& seeds);

    /// Where an event stands: needed because events themselves do not know their place in their thread.
    struct Position {
        ThreadId thread;
        std::uint32_t index = 0; ///< within its thread
        SegmentId segment;
    };
    [[nodiscard]] Position position(EventId event) const;

    /// How many events of `thread` must precede the events of a segment.
    [[nodiscard]] std::uint32_t needed(SegmentId segment, ThreadId thread) const {
        return clocks_[std::size_t{segment.value} * threads_ + thread.value];
    }
    [[nodiscard]] bool before(const Position& a, const Position& b) const {
        return a.thread == b.thread ? a.index < b.index : a.index < needed(b.segment, a.thread);
    }
    [[nodiscard]] bool ordered(const Position& a, const Position& b) const {
        return before(a, b) || before(b, a);
    }

    [[nodiscard]] std::size_t segments() const { return starts_.size(); }
    /// The segments of a thread, in order, for passes that walk along the trace. The first one is the
    /// thread's state before its first event; the second may start at that event too.
    [[nodiscard]] std::span<const SegmentId> segments_of(ThreadId thread) const {
        return by_thread_[thread.value];
    }
    /// Index within its thread of a segment's first event.
    [[nodiscard]] std::uint32_t start_of(SegmentId segment) const { return starts_[segment.value].index; }

  private:
    struct Start {
        ThreadId thread;
        std::uint32_t index = 0; ///< of the segment's first event within its thread
    };

    SegmentId open_segment(EventId first);
    void add_sources(SegmentId segment, SeedNode target, const SeedEdges& seeds, bool only_forks);
    void add_source(std::uint32_t* clock, EventId source) const;
    void complete_joint(SeedNode joint, const SeedEdges& seeds);

    Trace trace_;
    std::size_t threads_;
    std::vector<Start> starts_;
    std::vector<std::uint32_t> clocks_;             ///< segment-major
    std::vector<std::vector<SegmentId>> by_thread_; ///< ascending

    // While building: the clocks of joints (see SeedEdges), computed when first needed.
    std::vector<std::vector<std::uint32_t>> joint_clocks_;
};

} // namespace heddle
