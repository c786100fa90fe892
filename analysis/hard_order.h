// The order that every schedule of a run must keep, whatever its locks do: program order and the seed edges
// (fork/join, wait/notify, barriers, once, annotations, release/acquire). Docs: algorithms.md, "feasible".
//
// A thread's events between two that have, or may come to have, seed edges are in the same relation to all
// other threads: one *segment*. A segment knows, for each thread, how many of its events must come first;
// segments that differ from the one before only in what others may know of them share that. O(edges × (log
// events + threads in whose clocks they differ)) to build, O(log threads) to ask. Online, as seed edges are.
#pragma once

#include "analysis/seed_edges.h"
#include "analysis/thread_clocks.h"
#include "traces/trace.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace heddle {

using SegmentId = Id<struct SegmentTag>;

class HardOrder {
  public:
    HardOrder() = default;

    /// Takes what was added to the trace and its seed edges since the call before.
    void extend(const Trace& trace, const SeedEdges& seeds);

    /// Where an event stands: needed because events themselves do not know their place in their thread.
    struct Position {
        ThreadId thread;
        std::uint32_t index = 0; ///< within its thread
        SegmentId segment;
    };
    [[nodiscard]] Position position(const Trace& trace, EventId event) const;

    /// How many events of `thread` must precede the events of a segment.
    [[nodiscard]] std::uint32_t needed(SegmentId segment, ThreadId thread) const {
        return clocks_.at(of_segment_[segment.value], thread.value);
    }
    [[nodiscard]] bool before(const Position& a, const Position& b) const {
        return a.thread == b.thread ? a.index < b.index : a.index < needed(b.segment, a.thread);
    }
    [[nodiscard]] bool ordered(const Position& a, const Position& b) const {
        return before(a, b) || before(b, a);
    }

    [[nodiscard]] std::size_t segments() const { return of_segment_.size(); }
    struct Segment {
        SegmentId id;
        std::uint32_t start = 0; ///< index within its thread of its first event
    };
    /// The segments of a thread, in order, for passes that walk along the trace. The first one is the
    /// thread's state before its first event; the second may start at that event too.
    [[nodiscard]] std::span<const Segment> segments_of(ThreadId thread) const {
        return thread.value < by_thread_.size() ? by_thread_[thread.value] : std::span<const Segment>{};
    }

  private:
    using Clock = ThreadClocks::Clock;
    /// What a clock is the greatest of.
    struct Sources {
        std::vector<Clock> clocks;
        std::vector<ThreadClocks::Tick> ticks;
    };

    SegmentId open_segment(ThreadId thread, std::uint32_t start);
    void add_sources(const Trace& trace, const SeedEdges& seeds, SeedNode target, bool only_forks,
                     Sources& sources);
    void add_source(const Trace& trace, EventId source, Sources& sources) const;
    void complete_joint(const Trace& trace, const SeedEdges& seeds, SeedNode joint);

    std::size_t taken_ = 0; ///< of the starts
    ThreadClocks clocks_;
    std::vector<Clock> of_segment_;
    std::vector<std::vector<Segment>> by_thread_; ///< ascending
    /// Of joints (see SeedEdges), computed when first needed.
    std::vector<std::optional<Clock>> joint_clocks_;
};

} // namespace heddle
