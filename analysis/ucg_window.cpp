#include "analysis/ucg_window.h"

#include <algorithm>
#include <cassert>
#include <functional>

namespace heddle {

namespace {

/// Where the property needs each of its threads to be still under way.
[[nodiscard]] std::vector<BarrierFinder::Limit> limits_of(const Trace& trace, const Property& property) {
    std::vector<BarrierFinder::Limit> limits;
    const auto add = [&](EventId event) { limits.push_back({trace[event].thread(), event.value}); };
    if (const auto* race = std::get_if<Race>(&property)) {
        add(race->first);
        add(race->second);
    } else if (const auto* violation = std::get_if<AtomicityViolation>(&property)) {
        add(violation->first);
        add(violation->remote);
    } else {
        for (const DeadlockStep& step : std::get<Deadlock>(property).steps) add(step.requests);
    }
    return limits;
}

} // namespace

CausalityBarrier barrier_of(const UcgContext& context, const Property& property) {
    return context.barriers.last_before(limits_of(context.trace, property));
}

UcgWindow::UcgWindow(const UcgContext& context, const Property& property)
    : UcgWindow(context, property, barrier_of(context, property)) {}

UcgWindow::UcgWindow(const UcgContext& context, const Property& property, CausalityBarrier barrier)
    : context_(context), barrier_(std::move(barrier)) {
    strands_.reserve(4); // most windows are tiny
    nodes_.reserve(16);
    clocks_.reserve(16 * stride_);
    held_.reserve(16);
    needs_.reserve(4);
    changed_.reserve(16);
    std::visit([this](const auto& p) { aim(p); }, property);
}

UcgVerdict UcgWindow::decide(std::size_t max_nodes) {
    max_nodes_ = max_nodes;
    const bool settled = settle();
    if (refuted_) return {.feasible = false, .cycle = std::move(*refuted_)};
    return {.complete = settled};
}

UcgProjection UcgWindow::projection() const {
    UcgProjection result;
    for (NodeIndex index = 0; index < nodes_.size(); ++index) {
        const Node& node = nodes_[index];
        if (node.strand == kNone) continue;
        UcgProjection::Node shown{.event = EventId{node.id}};
        for (StrandIndex s = 0; s < strands_.size(); ++s)
            if (s != node.strand && clock(index, s) > strands_[s].base)
                shown.after.push_back({strands_[s].thread, clock(index, s)});
        result.nodes.push_back(std::move(shown));
    }
    result.sort();
    return result;
}

// --- the property ----------------------------------------------------------------------------------

void UcgWindow::aim(const Race& race) {
    stop_at({race.first, race.second});
}

void UcgWindow::aim(const Deadlock& deadlock) {
    std::vector<EventId> stops;
    for (const DeadlockStep& step : deadlock.steps) stops.push_back(step.requests);
    stop_at(stops);
}

/// Each thread has begun, stands before its event and goes no further (§3.1: all that precedes the one comes
/// before the other).
void UcgWindow::stop_at(const std::vector<EventId>& stops) {
    for (const EventId stop : stops) {
        const StrandIndex index = strand_of(context_.trace[stop].thread());
        strands_[index].cap = stop.value;
        strands_[index].stop = stop;
    }
    for (const EventId stop : stops)
        require(strand_of(context_.trace[stop].thread()), {.bound = stop.value, .source = stop.value});
    for (const EventId stop : stops)
        for (const SeedEdge& seed : context_.seeds.into(stop.value)) {
            if (seed.kind != SeedKind::fork || refuted_) continue;
            const StrandIndex parent = strand_of(context_.trace[EventId{seed.from}].thread());
            require(parent, {.bound = seed.from + 1,
                             .source = seed.from,
                             .why = {.reason = CycleReason::seed, .seed = SeedKind::fork},
                             .stop = stop});
        }
}

void UcgWindow::aim(const AtomicityViolation& violation) {
    const StrandIndex local = strand_of(context_.trace[violation.first].thread());
    const StrandIndex remote = strand_of(context_.trace[violation.remote].thread());
    strands_[local].cap = violation.second.value + 1;
    strands_[local].stop = violation.second;
    strands_[local].extra = {violation.first.value, violation.second.value};
    strands_[remote].extra[0] = violation.remote.value;
    require(local, {.bound = violation.second.value + 1, .source = violation.second.value});
    require(remote, {.bound = violation.remote.value + 1, .source = violation.remote.value});
    asked_ = {{violation.first, violation.remote}, {violation.remote, violation.second}};
}

/// A search is no slower than a clock is long.
UcgWindow::StrandIndex UcgWindow::strand_of(ThreadId thread) {
    const auto found = std::ranges::find(strands_, thread, &Strand::thread);
    if (found != strands_.end()) return static_cast<StrandIndex>(found - strands_.begin());
    const Bound base = barrier_.of(thread);
    const auto& skeleton = context_.skeleton[thread.value];
    const auto next = std::ranges::lower_bound(skeleton, base);
    strands_.push_back({.thread = thread,
                        .base = base,
                        .need = base,
                        .next = static_cast<std::size_t>(next - skeleton.begin())});
    if (strands_.size() > stride_) widen_clocks();
    return static_cast<StrandIndex>(strands_.size() - 1);
}

void UcgWindow::widen_clocks() {
    std::vector<Bound> wider(nodes_.size() * stride_ * 2);
    for (std::size_t node = 0; node < nodes_.size(); ++node)
        std::copy_n(clocks_.begin() + static_cast<std::ptrdiff_t>(node * stride_), stride_,
                    wider.begin() + static_cast<std::ptrdiff_t>(node * stride_ * 2));
    clocks_ = std::move(wider);
    stride_ *= 2;
}

// --- the graph -------------------------------------------------------------------------------------

UcgWindow::NodeIndex UcgWindow::node_of(StrandIndex strand, Bound id) const {
    const auto& nodes = strands_[strand].nodes;
    const auto found = std::ranges::lower_bound(nodes, id, {}, [&](NodeIndex n) { return nodes_[n].id; });
    assert(found != nodes.end() && nodes_[*found].id == id);
    return *found;
}

template<typename Row>
void UcgWindow::append(std::vector<Row>& pool, List& list, const Row& row) {
    const auto added = static_cast<std::uint32_t>(pool.size());
    (list.first == kNone ? list.first : pool[list.last].next) = added;
    list.last = added;
    pool.push_back(row);
}

bool UcgWindow::require(StrandIndex index, const Need& need) {
    Strand& strand = strands_[index];
    if (need.bound <= strand.need) return true;
    if (need.bound > strand.cap) {
        refute_by_stop(index, need);
        return false;
    }
    append(needs_, strand.needs, need);
    strand.need = need.bound;
    return true;
}

Bound UcgWindow::next_of(const Strand& strand) const {
    const auto& skeleton = context_.skeleton[strand.thread.value];
    const Bound next = strand.next < skeleton.size() ? skeleton[strand.next] : kNoBound;
    return strand.next_extra < strand.extra.size() ? std::min(next, strand.extra[strand.next_extra]) : next;
}

void UcgWindow::append_until(StrandIndex index, Bound bound) {
    while (true) {
        Strand& strand = strands_[index];
        const Bound id = next_of(strand);
        if (id >= bound) return;
        const auto& skeleton = context_.skeleton[strand.thread.value];
        if (strand.next < skeleton.size() && skeleton[strand.next] == id) ++strand.next;
        if (strand.next_extra < strand.extra.size() && strand.extra[strand.next_extra] == id)
            ++strand.next_extra;
        append(index, id);
    }
}

/// The earliest event that must run and is no node yet. False if there is none.
bool UcgWindow::append_next() {
    Bound first = kNoBound;
    StrandIndex of = kNone;
    for (StrandIndex s = 0; s < strands_.size(); ++s)
        if (const Bound next = next_of(strands_[s]); next < std::min(first, strands_[s].need)) {
            first = next;
            of = s;
        }
    if (of == kNone) return false;
    append_until(of, first + 1);
    return true;
}

UcgWindow::NodeIndex UcgWindow::add_node(const Node& node) {
    nodes_.push_back(node);
    clocks_.resize(nodes_.size() * stride_);
    return static_cast<NodeIndex>(nodes_.size() - 1);
}

void UcgWindow::append(StrandIndex index, Bound id) {
    Strand& strand = strands_[index];
    const NodeIndex added = add_node(
        {.id = id, .strand = index, .turn = id, .held_from = static_cast<std::uint32_t>(held_.size())});
    if (!strand.nodes.empty()) {
        const NodeIndex before = strand.nodes.back();
        nodes_[before].next = added;
        nodes_[added].before = before;
        for (StrandIndex s = 0; s < strands_.size(); ++s) {
            if (clock(before, s) == 0) continue;
            clock(added, s) = clock(before, s);
            remember(added, {.strand = s, .value = clock(before, s), .via = before});
        }
        for (std::uint32_t k = 0; k < nodes_[before].held_count; ++k) {
            const std::uint32_t section = held_[nodes_[before].held_from + k];
            if (context_.locks[section].release.value != nodes_[before].id) held_.push_back(section);
        }
    }
    const EventView event = context_.trace[EventId{id}];
    if (event.kind() == EventKind::acquire || event.kind() == EventKind::acquire_shared)
        held_.push_back(context_.locks.opened_by(EventId{id}));
    if (event.kind() == EventKind::sem_wait &&
        context_.seeds.semaphores().number_of(event.semaphore()) != SemaphoreBalances::kNone)
        waits_.push_back(added);
    nodes_[added].held_count = static_cast<std::uint32_t>(held_.size()) - nodes_[added].held_from;
    strand.nodes.push_back(added);
}

UcgWindow::NodeIndex UcgWindow::joint_node(SeedNode id, NodeIndex target) {
    const auto [found, is_new] = joints_.try_emplace(id, static_cast<NodeIndex>(nodes_.size()));
    if (is_new) {
        const auto sources = context_.seeds.into(id);
        const auto later = [&](const SeedEdge& edge) {
            return SeedEdges::is_joint(edge.from) ? 0 : edge.from;
        };
        static_cast<void>(add_node({.id = id, .turn = later(std::ranges::max(sources, {}, later))}));
    }
    add_feed(found->second, target);
    return found->second;
}

void UcgWindow::add_feed(NodeIndex from, NodeIndex to) {
    append(feeds_, nodes_[from].feeds, {.to = to});
}

void UcgWindow::remember(NodeIndex node, const Growth& growth) {
    append(growths_, nodes_[node].growths, growth);
}

void UcgWindow::edge(EventId from, NodeIndex to, const Why& why) {
    if (refuted_) return;
    const StrandIndex source = strand_of(context_.trace[from].thread());
    if (from.value < strands_[source].base || clock(to, source) > from.value) return;
    if (!require(source, {.bound = from.value + 1, .source = from.value, .target = to, .why = why})) return;
    append_until(source, from.value + 1);
    const NodeIndex node = node_of(source, from.value);
    add_feed(node, to);
    grow(to, {.strand = source, .value = from.value + 1, .how = Growth::How::edge, .why = why});
    come_after(to, node);
}

void UcgWindow::come_after(NodeIndex node, NodeIndex other) {
    for (StrandIndex s = 0; s < strands_.size() && !refuted_; ++s)
        grow(node, {.strand = s, .value = clock(other, s), .how = Growth::How::after, .via = other});
}

void UcgWindow::grow(NodeIndex index, const Growth& growth) {
    Bound& component = clock(index, growth.strand);
    if (component >= growth.value) return;
    component = growth.value;
    remember(index, growth);
    const Node& node = nodes_[index];
    if (node.strand == growth.strand && growth.value > node.id) return refute_by_cycle(index);
    enqueue(index);
}

void UcgWindow::enqueue(NodeIndex index) {
    if (std::exchange(nodes_[index].queued, true)) return;
    changed_.emplace_back(nodes_[index].turn, index);
    std::ranges::push_heap(changed_, std::greater<>());
}

// --- the rules -------------------------------------------------------------------------------------

bool UcgWindow::settle() {
    while (!refuted_) {
        if (nodes_.size() > max_nodes_) return false;
        if (fresh_ < nodes_.size()) {
            const NodeIndex node = fresh_++;
            add_seeds(node);
            if (nodes_[node].strand != kNone) add_unreleased(node);
            enqueue(node);
        } else if (!changed_.empty()) {
            std::ranges::pop_heap(changed_, std::greater<>());
            const NodeIndex node = changed_.back().second;
            changed_.pop_back();
            nodes_[node].queued = false;
            visit(node);
        } else if (!append_next() && !apply_semaphores()) {
            return true;
        }
    }
    return true;
}

void UcgWindow::visit(NodeIndex node) {
    if (nodes_[node].strand != kNone) order_sections(node);
    if (!nodes_[node].queued) spread(node);
}

void UcgWindow::add_seeds(NodeIndex node) {
    for (const auto& [from, to] : asked_)
        if (to.value == nodes_[node].id) edge(from, node, {.reason = CycleReason::property});
    for (const SeedEdge& seed : context_.seeds.into(nodes_[node].id)) {
        if (refuted_) return;
        if (SeedEdges::is_joint(seed.from))
            come_after(node, joint_node(seed.from, node));
        else
            edge(EventId{seed.from}, node, {.reason = CycleReason::seed, .seed = seed.kind});
    }
}

/// Rules 11 and 12: a section that is entered and never left comes after all it excludes.
void UcgWindow::add_unreleased(NodeIndex acquire) {
    if (held(acquire).empty()) return;
    const std::uint32_t opened = held(acquire).back();
    if (context_.locks[opened].acquire.value != nodes_[acquire].id) return;
    const StrandIndex own = nodes_[acquire].strand;
    const LockSection& section = context_.locks[opened];
    for (std::size_t k = 0; k < unreleased_.size() && !refuted_; ++k) {
        const LockSection& last = context_.locks[unreleased_[k]];
        if (last.excludes(section)) section_before(section, own, last, strand_of(last.thread));
    }
    if (!section.open_at(strands_[own].cap)) return;
    unreleased_.push_back(opened);
    for (StrandIndex s = 0; s < strands_.size() && !refuted_; ++s) {
        if (s == own) continue;
        const LockSection* other =
            context_.locks.last_excluding(section, strands_[s].thread, strands_[s].need);
        if (other != nullptr && other->acquire.value >= strands_[s].base)
            section_before(*other, s, section, own);
    }
}

void UcgWindow::section_before(const LockSection& first, StrandIndex first_strand, const LockSection& second,
                               StrandIndex second_strand) {
    if (first.open_at(strands_[first_strand].cap)) return refute_by_holds(first, second);
    edge(first.release, node_of(second_strand, second.acquire.value),
         {.reason = CycleReason::lock, .lock = first.lock, .section = first.acquire});
}

/// Chains (§3.4): what comes after the node comes after all that the node does.
void UcgWindow::spread(NodeIndex index) {
    for (std::uint32_t k = nodes_[index].feeds.first; k != kNone && !refuted_; k = feeds_[k].next)
        come_after(feeds_[k].to, index);
    const NodeIndex next = nodes_[index].next;
    if (next == kNone) return;
    for (StrandIndex s = 0; s < strands_.size() && !refuted_; ++s)
        grow(next, {.strand = s, .value = clock(index, s), .via = index});
}

/// Rules 14 to 16: if a section of another thread was entered before an event within one of ours, it was also
/// left before ours was entered. For sections that are not left rule 11 has given the opposite edge.
/// What the event before has the same clock for is looked at there, but for the section that begins here.
void UcgWindow::order_sections(NodeIndex index) {
    const StrandIndex own = nodes_[index].strand;
    const NodeIndex before = nodes_[index].before;
    const std::uint32_t count = nodes_[index].held_count;
    if (count == 0) return;
    const bool begins = context_.locks[held(index).back()].acquire.value == nodes_[index].id;
    for (StrandIndex s = 0; s < strands_.size() && !refuted_; ++s) {
        const Bound entered = clock(index, s);
        if (s == own || entered == 0) continue;
        const bool as_before = before != kNone && clock(before, s) == entered;
        std::uint32_t h = !as_before ? 0 : begins ? count - 1 : count;
        for (; h < count && !refuted_; ++h) {
            const LockSection& section = context_.locks[held(index)[h]];
            const LockSection* other = context_.locks.last_excluding(section, strands_[s].thread, entered);
            if (other == nullptr || other->acquire.value < strands_[s].base) continue;
            if (!other->open_at(strands_[s].cap)) section_before(*other, s, section, own);
        }
    }
}

} // namespace heddle
