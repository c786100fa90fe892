#include "analysis/hard_order.h"

#include <algorithm>

namespace heddle {

namespace {

/// Index of an event within its thread.
std::uint32_t index_in_thread(const ThreadIndex& events, EventId event) {
    std::size_t low = 0;
    std::size_t high = events.size();
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (events[middle] < event.value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return static_cast<std::uint32_t>(low);
}

/// Events that start a segment: the first of each thread, targets of edges, and those after a source.
std::vector<EventId> segment_starts(const Trace& trace, const SeedEdges& seeds) {
    std::vector<EventId> starts;
    for (std::size_t thread = 0; thread < trace.thread_count(); ++thread) {
        const ThreadIndex& events = trace.events_of(ThreadId{thread});
        if (!events.empty()) starts.emplace_back(events.front());
    }
    for (const SeedEdge& edge : seeds.edges()) {
        if (!seeds.is_joint(edge.to)) starts.emplace_back(edge.to);
        if (seeds.is_joint(edge.from)) continue;
        const ThreadIndex& events = trace.events_of(trace[EventId{edge.from}].thread());
        const std::uint32_t next = index_in_thread(events, EventId{edge.from}) + 1;
        if (next < events.size()) starts.emplace_back(events[next]);
    }
    std::sort(starts.begin(), starts.end());
    starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
    return starts;
}

void raise(std::uint32_t* clock, const std::uint32_t* to, std::size_t threads) {
    for (std::size_t thread = 0; thread < threads; ++thread)
        clock[thread] = std::max(clock[thread], to[thread]);
}

} // namespace

HardOrder::HardOrder(const Trace& trace, const SeedEdges& seeds)
    : trace_(trace), threads_(trace.thread_count()), by_thread_(trace.thread_count()),
      joint_clocks_(seeds.joints().size()) {
    // Edges run along the recorded order, so what an edge starts from is complete when its target is reached.
    for (const EventId start : segment_starts(trace, seeds)) {
        const bool begins_thread = by_thread_[trace[start].thread().value].empty();
        // To stand before its first event a thread must have begun; what that event itself waits for comes
        // after.
        if (begins_thread) add_sources(open_segment(start), start.value, seeds, true);
        const auto into = seeds.into(start.value);
        const bool waits = std::any_of(into.begin(), into.end(),
                                       [](const SeedEdge& edge) { return edge.kind != SeedKind::fork; });
        if (!begins_thread || waits) add_sources(open_segment(start), start.value, seeds, false);
    }
    joint_clocks_ = {};
}

void HardOrder::add_sources(SegmentId segment, SeedNode target, const SeedEdges& seeds, bool only_forks) {
    for (const SeedEdge& edge : seeds.into(target)) {
        if (only_forks && edge.kind != SeedKind::fork) continue;
        if (seeds.is_joint(edge.from)) complete_joint(edge.from, seeds);
        std::uint32_t* clock = clocks_.data() + std::size_t{segment.value} * threads_;
        if (seeds.is_joint(edge.from)) {
            raise(clock, joint_clocks_[edge.from - seeds.event_count()].data(), threads_);
        } else {
            add_source(clock, EventId{edge.from});
        }
    }
}

void HardOrder::add_source(std::uint32_t* clock, EventId source) const {
    const Position at = position(source);
    raise(clock, clocks_.data() + std::size_t{at.segment.value} * threads_, threads_);
    clock[at.thread.value] = std::max(clock[at.thread.value], at.index + 1);
}

/// Joints may follow joints; without recursion, since a chain of them may be as long as the trace.
void HardOrder::complete_joint(SeedNode joint, const SeedEdges& seeds) {
    const auto clock_of = [&](SeedNode node) -> std::vector<std::uint32_t>& {
        return joint_clocks_[node - seeds.event_count()];
    };
    std::vector<SeedNode> open = {joint};
    while (!open.empty()) {
        const SeedNode at = open.back();
        if (!clock_of(at).empty()) {
            open.pop_back();
            continue;
        }
        const std::size_t before = open.size();
        for (const SeedEdge& edge : seeds.into(at)) {
            if (seeds.is_joint(edge.from) && clock_of(edge.from).empty()) open.push_back(edge.from);
        }
        if (open.size() > before) continue;
        std::vector<std::uint32_t> clock(threads_, 0);
        for (const SeedEdge& edge : seeds.into(at)) {
            if (seeds.is_joint(edge.from)) {
                raise(clock.data(), clock_of(edge.from).data(), threads_);
            } else {
                add_source(clock.data(), EventId{edge.from});
            }
        }
        clock_of(at) = std::move(clock);
        open.pop_back();
    }
}

SegmentId HardOrder::open_segment(EventId first) {
    const ThreadId thread = trace_[first].thread();
    const SegmentId segment{starts_.size()};
    starts_.push_back({thread, index_in_thread(trace_.events_of(thread), first)});
    std::vector<SegmentId>& own = by_thread_[thread.value];
    const std::size_t at = clocks_.size();
    clocks_.resize(at + threads_, 0);
    if (!own.empty())
        std::copy_n(clocks_.begin() + static_cast<std::ptrdiff_t>(own.back().value * threads_), threads_,
                    clocks_.begin() + static_cast<std::ptrdiff_t>(at));
    own.push_back(segment);
    return segment;
}

HardOrder::Position HardOrder::position(EventId event) const {
    const ThreadId thread = trace_[event].thread();
    const std::uint32_t index = index_in_thread(trace_.events_of(thread), event);
    const std::vector<SegmentId>& own = by_thread_[thread.value];
    const auto after =
        std::upper_bound(own.begin(), own.end(), index, [&](std::uint32_t wanted, SegmentId segment) {
            return wanted < starts_[segment.value].index;
        });
    return {thread, index, *std::prev(after)};
}

} // namespace heddle
