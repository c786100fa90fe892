#include "analysis/hard_order.h"

#include <algorithm>

namespace heddle {

namespace {

void raise(std::vector<std::uint32_t>& ticks, std::span<const std::uint32_t> to) {
    if (ticks.size() < to.size()) ticks.resize(to.size(), 0);
    for (std::size_t thread = 0; thread < to.size(); ++thread)
        ticks[thread] = std::max(ticks[thread], to[thread]);
}

} // namespace

void HardOrder::extend(const Trace& trace, const SeedEdges& seeds) {
    by_thread_.resize(std::max(by_thread_.size(), trace.thread_count()));
    joint_clocks_.resize(seeds.joints().size());
    // Edges run along the recorded order, so what an edge starts from is complete when its target is reached.
    for (const SeedEdges::Start& start : seeds.starts().subspan(taken_)) {
        const ThreadId thread = trace[start.event].thread();
        const auto into = seeds.into(start.event.value);
        Ticks ticks;
        // To stand before its first event a thread must have begun; what that event itself waits for comes
        // after.
        const bool begins_thread = by_thread_[thread.value].empty();
        if (begins_thread) {
            const SegmentId segment = open_segment(thread, start.index);
            add_sources(trace, seeds, start.event.value, true, ticks);
            set_clock(segment, ticks);
        }
        const bool waits =
            std::ranges::any_of(into, [](const SeedEdge& edge) { return edge.kind != SeedKind::fork; });
        if (begins_thread && !waits) continue;
        const SegmentId segment = open_segment(thread, start.index);
        if (into.empty()) continue;
        raise(ticks, ticks_of(segment));
        add_sources(trace, seeds, start.event.value, false, ticks);
        set_clock(segment, ticks);
    }
    taken_ = seeds.starts().size();
}

/// Knows what the segment before it knows.
SegmentId HardOrder::open_segment(ThreadId thread, std::uint32_t start) {
    const SegmentId segment{clocks_.size()};
    std::vector<Segment>& own = by_thread_[thread.value];
    clocks_.push_back(own.empty() ? Clock{} : clocks_[own.back().id.value]);
    own.push_back({segment, start});
    return segment;
}

void HardOrder::set_clock(SegmentId segment, const Ticks& ticks) {
    clocks_[segment.value] = {ticks_.size(), static_cast<std::uint32_t>(ticks.size())};
    ticks_.insert(ticks_.end(), ticks.begin(), ticks.end());
}

void HardOrder::add_sources(const Trace& trace, const SeedEdges& seeds, SeedNode target, bool only_forks,
                            Ticks& ticks) {
    for (const SeedEdge& edge : seeds.into(target)) {
        if (only_forks && edge.kind != SeedKind::fork) continue;
        if (SeedEdges::is_joint(edge.from)) {
            complete_joint(trace, seeds, edge.from);
            raise(ticks, joint_clocks_[edge.from - kFirstJoint]);
        } else {
            add_source(trace, EventId{edge.from}, ticks);
        }
    }
}

void HardOrder::add_source(const Trace& trace, EventId source, Ticks& ticks) const {
    const Position at = position(trace, source);
    raise(ticks, ticks_of(at.segment));
    if (ticks.size() <= at.thread.value) ticks.resize(at.thread.value + std::size_t{1}, 0);
    ticks[at.thread.value] = std::max(ticks[at.thread.value], at.index + 1);
}

/// Joints may follow joints; without recursion, since a chain of them may be as long as the trace.
void HardOrder::complete_joint(const Trace& trace, const SeedEdges& seeds, SeedNode joint) {
    const auto clock_of = [&](SeedNode node) -> Ticks& { return joint_clocks_[node - kFirstJoint]; };
    std::vector<SeedNode> open = {joint};
    while (!open.empty()) {
        const SeedNode at = open.back();
        if (!clock_of(at).empty()) {
            open.pop_back();
            continue;
        }
        const std::size_t before = open.size();
        for (const SeedEdge& edge : seeds.into(at)) {
            if (SeedEdges::is_joint(edge.from) && clock_of(edge.from).empty()) open.push_back(edge.from);
        }
        if (open.size() > before) continue;
        Ticks ticks(1, 0); // not empty, even if nobody entered
        for (const SeedEdge& edge : seeds.into(at)) {
            if (SeedEdges::is_joint(edge.from)) {
                raise(ticks, clock_of(edge.from));
            } else {
                add_source(trace, EventId{edge.from}, ticks);
            }
        }
        clock_of(at) = std::move(ticks);
        open.pop_back();
    }
}

HardOrder::Position HardOrder::position(const Trace& trace, EventId event) const {
    const ThreadId thread = trace[event].thread();
    const std::uint32_t index = trace.index_in_thread(event);
    const auto own = segments_of(thread);
    const auto after = std::ranges::upper_bound(own, index, {}, &Segment::start);
    return {thread, index, std::prev(after)->id};
}

} // namespace heddle
