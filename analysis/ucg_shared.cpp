#include "analysis/ucg_shared.h"

#include <algorithm>

namespace heddle {

namespace {

template<typename Visit>
void for_each_event(const Property& property, Visit visit) {
    if (const auto* race = std::get_if<Race>(&property)) {
        visit(race->first);
        visit(race->second);
    } else if (const auto* violation = std::get_if<AtomicityViolation>(&property)) {
        visit(violation->first);
        visit(violation->remote);
        visit(violation->second);
    } else {
        for (const DeadlockStep& step : std::get<Deadlock>(property).steps) visit(step.requests);
    }
}

} // namespace

SharedCausalityGraph::SharedCausalityGraph(const CausalityGraph& graph, Options options)
    : graph_(graph), context_(*graph.context()), options_(options), projector_(context_) {}

// --- properties ------------------------------------------------------------------------------------

/// Nothing but where its events lie among the synchronisation events of their threads enters the graph of a
/// property.
std::uint32_t SharedCausalityGraph::shape_of(const Property& property) {
    const bool passes = std::holds_alternative<AtomicityViolation>(property);
    shape_.clear();
    for_each_event(property, [&](EventId event) {
        const ThreadId thread = context_.trace[event].thread();
        const auto& skeleton = context_.skeleton[thread.value];
        const auto at = std::ranges::lower_bound(skeleton, event.value);
        const bool is_node = at != skeleton.end() && *at == event.value;
        shape_.push_back({.thread = thread.value,
                          .place = static_cast<std::uint32_t>(at - skeleton.begin()),
                          .passed = passes ? 1U + (is_node ? 1U : 0U) : 0U});
    });
    if (!passes) std::ranges::sort(shape_, {}, &Place::thread); // who is named first makes no difference
    return shapes_of_.intern(shape_);
}

PropertyId SharedCausalityGraph::add(const Property& property) {
    const std::uint32_t number = shape_of(property);
    if (number == shapes_.size()) shapes_.emplace_back();
    Shape& shape = shapes_[number];
    if (shape.properties++ == 0) {
        shape.property = property;
        shape.decided = false;
        pending_.push_back(number);
    }
    entries_.push_back({property, number});
    return PropertyId{entries_.size() - 1};
}

void SharedCausalityGraph::remove(PropertyId id) {
    Shape& shape = shapes_[entries_[id.value].shape];
    entries_[id.value] = {};
    if (--shape.properties > 0 || shape.segment == kNone) return;
    Segment& segment = segments_[shape.segment];
    shape.segment = kNone;
    if (--segment.shapes == 0) segment.graph.reset();
}

UcgVerdict SharedCausalityGraph::verdict(PropertyId id) {
    settle();
    const Shape& shape = shapes_[entries_[id.value].shape];
    return {.feasible = shape.feasible, .complete = shape.complete};
}

UcgVerdict SharedCausalityGraph::explained(PropertyId id) const {
    return graph_.decide(entries_[id.value].property);
}

std::optional<UcgProjection> SharedCausalityGraph::projection(PropertyId id) {
    settle();
    const Entry& entry = entries_[id.value];
    const Shape& shape = shapes_[entry.shape];
    if (!shape.feasible || !shape.complete) return std::nullopt;
    if (shape.segment == kNone) return graph_.projection(entry.property);
    const CausalityBarrier barrier = barrier_of(context_, entry.property);
    const UcgSegment& segment = *segments_[shape.segment].graph;
    if (projector_.solve(segment, entry.property, barrier) != UcgProjector::Outcome::feasible)
        return std::nullopt;
    return projector_.projection();
}

SharedCausalityGraph::Sizes SharedCausalityGraph::sizes() const {
    Sizes sizes;
    for (const Shape& shape : shapes_) {
        sizes.properties += shape.properties;
        sizes.shapes += shape.properties > 0 ? 1U : 0U;
    }
    for (const Segment& segment : segments_) sizes.segments += segment.graph ? 1U : 0U;
    return sizes;
}

// --- verdicts --------------------------------------------------------------------------------------

void SharedCausalityGraph::settle() {
    std::vector<Window> wide;
    for (const std::uint32_t shape : std::exchange(pending_, {})) {
        if (shapes_[shape].decided || shapes_[shape].properties == 0) continue;
        Window window = window_of(shape);
        if (is_short(window))
            decide_alone(window);
        else if (const std::uint32_t known = segment_over(window); known != kNone)
            decide_in(known, window);
        else
            wide.push_back(std::move(window));
    }
    std::ranges::sort(wide, {}, &Window::low);
    for (std::size_t first = 0; first < wide.size();) {
        Bound high = wide[first].high;
        std::size_t last = first + 1;
        for (; last < wide.size() && wide[last].low <= high; ++last) high = std::max(high, wide[last].high);
        const std::span<const Window> group(wide.data() + first, last - first);
        const std::uint32_t segment = build_segment(group);
        for (const Window& one : group) segment == kNone ? decide_alone(one) : decide_in(segment, one);
        if (segment != kNone && segments_[segment].shapes == 0) segments_.pop_back();
        first = last;
    }
}

SharedCausalityGraph::Window SharedCausalityGraph::window_of(std::uint32_t shape) const {
    const Property& property = shapes_[shape].property;
    Window window{.shape = shape, .barrier = barrier_of(context_, property), .low = kNoBound};
    for_each_event(property, [&](EventId event) { window.high = std::max(window.high, event.value + 1); });
    for (const Place& place : shapes_of_[shape])
        window.low = std::min(window.low, window.barrier.of(ThreadId{place.thread}));
    return window;
}

bool SharedCausalityGraph::is_short(const Window& window) const {
    return std::ranges::all_of(shapes_of_[window.shape], [&](const Place& place) {
        if (place.place <= options_.short_window) return true;
        const Bound before = context_.skeleton[place.thread][place.place - options_.short_window - 1];
        return before < window.barrier.of(ThreadId{place.thread});
    });
}

void SharedCausalityGraph::decide_alone(const Window& window) {
    Shape& shape = shapes_[window.shape];
    const UcgVerdict verdict =
        UcgWindow(context_, shape.property, window.barrier).decide(CausalityGraph::kMaxWindow);
    shape.feasible = verdict.feasible;
    shape.complete = verdict.complete;
    shape.decided = true;
}

void SharedCausalityGraph::decide_in(std::uint32_t segment, const Window& window) {
    Shape& shape = shapes_[window.shape];
    const auto outcome = projector_.solve(*segments_[segment].graph, shape.property, window.barrier);
    if (outcome == UcgProjector::Outcome::elsewhere) return decide_alone(window);
    shape.feasible = outcome == UcgProjector::Outcome::feasible;
    shape.complete = true;
    shape.decided = true;
    shape.segment = segment;
    ++segments_[segment].shapes;
}

// --- segments --------------------------------------------------------------------------------------

bool SharedCausalityGraph::covers(const UcgSegment& segment, const Window& window) const {
    if (window.high > segment.end()) return false;
    for (std::uint32_t thread = 0; thread < segment.base().size(); ++thread)
        if (segment.base()[thread] > window.barrier.of(ThreadId{thread})) return false;
    return true;
}

std::uint32_t SharedCausalityGraph::segment_over(const Window& window) const {
    for (std::uint32_t k = 0; k < segments_.size(); ++k)
        if (segments_[k].graph && covers(*segments_[k].graph, window)) return k;
    return kNone;
}

/// From the last barrier that lies before all of them; barriers are closed under intersection. A property may
/// need events beyond its own, hence some room at the end. Nothing when the segment would be too large.
std::uint32_t SharedCausalityGraph::build_segment(std::span<const Window> group) {
    std::vector<Bound> base(context_.trace.thread_count(), kNoBound);
    Bound low = kNoBound;
    Bound high = 0;
    for (const Window& window : group) {
        for (std::uint32_t thread = 0; thread < base.size(); ++thread)
            base[thread] = std::min(base[thread], window.barrier.of(ThreadId{thread}));
        low = std::min(low, window.low);
        high = std::max(high, window.high);
    }
    const std::size_t room = 256 + (high - low) / 8;
    const auto end = static_cast<Bound>(std::min(context_.trace.size(), high + room));
    const UcgSegment::Size size = UcgSegment::size_of(context_, base, end);
    if (size.strands > options_.max_strands || size.nodes * size.strands > options_.max_segment) return kNone;
    segments_.push_back({std::make_unique<UcgSegment>(context_, std::move(base), end)});
    return static_cast<std::uint32_t>(segments_.size() - 1);
}

std::vector<UcgVerdict> decide_all(const CausalityGraph& graph, std::span<const Property> properties) {
    SharedCausalityGraph shared(graph);
    std::vector<PropertyId> ids;
    ids.reserve(properties.size());
    for (const Property& property : properties) ids.push_back(shared.add(property));
    std::vector<UcgVerdict> verdicts;
    verdicts.reserve(ids.size());
    for (const PropertyId id : ids) verdicts.push_back(shared.verdict(id));
    return verdicts;
}

} // namespace heddle
