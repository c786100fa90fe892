#include "analysis/hard_order.h"

#include <algorithm>
#include <utility>

namespace heddle {

namespace {

bool leads_nowhere(EventKind kind) {
    return kind == EventKind::read || kind == EventKind::write || kind == EventKind::atomic_load;
}

} // namespace

void HardOrder::extend(const Trace& trace, const SeedEdges& seeds) {
    by_thread_.resize(std::max(by_thread_.size(), trace.thread_count()));
    joint_clocks_.resize(seeds.joints().size());
    // Edges run along the recorded order, so what an edge starts from is complete when its target is reached.
    for (const SeedEdges::Start& start : seeds.starts().subspan(taken_)) {
        const ThreadId thread = trace[start.event].thread();
        const auto into = seeds.into(start.event.value);
        Sources sources;
        // To stand before its first event a thread must have begun; what that event itself waits for comes
        // after.
        const bool begins_thread = by_thread_[thread.value].empty();
        if (begins_thread) {
            const SegmentId segment = open_segment(thread, start.index);
            add_sources(trace, seeds, start.event.value, true, sources);
            of_segment_[segment.value] = clocks_.merged(sources.clocks, sources.ticks);
        }
        const bool waits =
            std::ranges::any_of(into, [](const SeedEdge& edge) { return edge.kind != SeedKind::fork; });
        if (begins_thread && !waits) continue;
        // A thread that spins reads again what it has read: nothing changes. What may lead on ends a segment.
        const SegmentId last = by_thread_[thread.value].back().id;
        const auto is_known = [&](const SeedEdge& edge) {
            if (SeedEdges::is_joint(edge.from)) return false;
            const Position from = position(trace, EventId{edge.from});
            return needed(last, from.thread) > from.index;
        };
        if (start.index > 0 && !into.empty() && std::ranges::all_of(into, is_known) &&
            leads_nowhere(trace[EventId{trace.events_of(thread)[start.index - 1]}].kind()))
            continue;
        const SegmentId segment = open_segment(thread, start.index);
        if (into.empty()) continue;
        sources.clocks.push_back(of_segment_[segment.value]);
        add_sources(trace, seeds, start.event.value, false, sources);
        of_segment_[segment.value] = clocks_.merged(std::move(sources.clocks), std::move(sources.ticks));
    }
    taken_ = seeds.starts().size();
}

/// Knows what the segment before it knows.
SegmentId HardOrder::open_segment(ThreadId thread, std::uint32_t start) {
    const SegmentId segment{of_segment_.size()};
    std::vector<Segment>& own = by_thread_[thread.value];
    of_segment_.push_back(own.empty() ? Clock{} : of_segment_[own.back().id.value]);
    own.push_back({segment, start});
    return segment;
}

void HardOrder::add_sources(const Trace& trace, const SeedEdges& seeds, SeedNode target, bool only_forks,
                            Sources& sources) {
    for (const SeedEdge& edge : seeds.into(target)) {
        if (only_forks && edge.kind != SeedKind::fork) continue;
        if (SeedEdges::is_joint(edge.from)) {
            complete_joint(trace, seeds, edge.from);
            sources.clocks.push_back(*joint_clocks_[edge.from - kFirstJoint]);
        } else {
            add_source(trace, EventId{edge.from}, sources);
        }
    }
}

void HardOrder::add_source(const Trace& trace, EventId source, Sources& sources) const {
    const Position at = position(trace, source);
    sources.clocks.push_back(of_segment_[at.segment.value]);
    sources.ticks.push_back({at.thread.value, at.index + 1});
}

/// Joints may follow joints; without recursion, since a chain of them may be as long as the trace.
void HardOrder::complete_joint(const Trace& trace, const SeedEdges& seeds, SeedNode joint) {
    const auto clock_of = [&](SeedNode node) -> std::optional<Clock>& {
        return joint_clocks_[node - kFirstJoint];
    };
    std::vector<SeedNode> open = {joint};
    while (!open.empty()) {
        const SeedNode at = open.back();
        if (clock_of(at)) {
            open.pop_back();
            continue;
        }
        const std::size_t before = open.size();
        for (const SeedEdge& edge : seeds.into(at)) {
            if (SeedEdges::is_joint(edge.from) && !clock_of(edge.from)) open.push_back(edge.from);
        }
        if (open.size() > before) continue;
        Sources sources;
        for (const SeedEdge& edge : seeds.into(at)) {
            if (SeedEdges::is_joint(edge.from)) {
                sources.clocks.push_back(*clock_of(edge.from));
            } else {
                add_source(trace, EventId{edge.from}, sources);
            }
        }
        clock_of(at) = clocks_.merged(std::move(sources.clocks), std::move(sources.ticks));
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
