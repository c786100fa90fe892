#include "analysis/ucg_window.h"

#include <algorithm>
#include <cassert>

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

UcgWindow::UcgWindow(const UcgContext& context, const Property& property)
    : context_(context), barrier_(context.barriers.last_before(limits_of(context.trace, property))) {
    std::visit([this](const auto& p) { aim(p); }, property);
}

UcgVerdict UcgWindow::decide(std::size_t max_nodes) {
    max_nodes_ = max_nodes;
    const bool settled = settle();
    if (refuted_) return {.feasible = false, .cycle = std::move(*refuted_)};
    return {.complete = settled};
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
    strands_[remote].extra = {violation.remote.value};
    require(local, {.bound = violation.second.value + 1, .source = violation.second.value});
    require(remote, {.bound = violation.remote.value + 1, .source = violation.remote.value});
    asked_ = {{violation.first, violation.remote}, {violation.remote, violation.second}};
}

UcgWindow::StrandIndex UcgWindow::strand_of(ThreadId thread) {
    const auto [found, is_new] =
        strand_index_.try_emplace(thread.value, static_cast<StrandIndex>(strands_.size()));
    if (is_new) {
        const Bound base = barrier_.of(thread);
        const auto& skeleton = context_.skeleton[thread.value];
        const auto next = std::ranges::lower_bound(skeleton, base);
        strands_.push_back({.thread = thread,
                            .base = base,
                            .need = base,
                            .next = static_cast<std::size_t>(next - skeleton.begin())});
    }
    return found->second;
}

// --- the graph -------------------------------------------------------------------------------------

UcgWindow::NodeIndex UcgWindow::node_of(StrandIndex strand, Bound id) const {
    const auto& nodes = strands_[strand].nodes;
    const auto found = std::ranges::lower_bound(nodes, id, {}, [&](NodeIndex n) { return nodes_[n].id; });
    assert(found != nodes.end() && nodes_[*found].id == id);
    return *found;
}

bool UcgWindow::require(StrandIndex index, const Need& need) {
    Strand& strand = strands_[index];
    if (need.bound <= strand.need) return true;
    if (need.bound > strand.cap) {
        refute_by_stop(index, need);
        return false;
    }
    strand.needs.push_back(need);
    strand.need = need.bound;
    if (const Bound next = next_of(strand); next < strand.need) pending_.emplace(next, index);
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
        pending_.erase({id, index});
        const auto& skeleton = context_.skeleton[strand.thread.value];
        if (strand.next < skeleton.size() && skeleton[strand.next] == id) ++strand.next;
        if (strand.next_extra < strand.extra.size() && strand.extra[strand.next_extra] == id)
            ++strand.next_extra;
        append(index, id);
        if (const Bound next = next_of(strand); next < strand.need) pending_.emplace(next, index);
    }
}

void UcgWindow::append(StrandIndex index, Bound id) {
    const auto added = static_cast<NodeIndex>(nodes_.size());
    Strand& strand = strands_[index];
    Node node{.id = id, .strand = index, .turn = id};
    if (!strand.nodes.empty()) {
        Node& before = nodes_[strand.nodes.back()];
        before.next = added;
        node.clock = before.clock;
        for (StrandIndex s = 0; s < node.clock.size(); ++s)
            if (node.clock[s] > 0)
                node.growths.push_back({.strand = s, .value = node.clock[s], .via = strand.nodes.back()});
        for (const std::uint32_t section : before.held)
            if (context_.locks[section].release.value != before.id) node.held.push_back(section);
    }
    const EventKind kind = context_.trace[EventId{id}].kind();
    if (kind == EventKind::acquire || kind == EventKind::acquire_shared)
        node.held.push_back(context_.locks.opened_by(EventId{id}));
    if (kind == EventKind::sem_wait &&
        context_.semaphore_index[context_.trace[EventId{id}].semaphore().value] != kNone)
        waits_.push_back(added);
    strand.nodes.push_back(added);
    nodes_.push_back(std::move(node));
    fresh_.push_back(added);
}

UcgWindow::NodeIndex UcgWindow::joint_node(SeedNode id, NodeIndex target) {
    const auto [found, is_new] = joints_.try_emplace(id, static_cast<NodeIndex>(nodes_.size()));
    if (is_new) {
        const auto sources = context_.seeds.into(id);
        const auto later = [&](const SeedEdge& edge) {
            return context_.seeds.is_joint(edge.from) ? 0 : edge.from;
        };
        nodes_.push_back({.id = id, .turn = later(std::ranges::max(sources, {}, later))});
        fresh_.push_back(found->second);
    }
    nodes_[found->second].feeds.push_back(target);
    return found->second;
}

void UcgWindow::edge(EventId from, NodeIndex to, const Why& why) {
    if (refuted_) return;
    const StrandIndex source = strand_of(context_.trace[from].thread());
    if (from.value < strands_[source].base || nodes_[to].must_follow(source) > from.value) return;
    if (!require(source, {.bound = from.value + 1, .source = from.value, .target = to, .why = why})) return;
    append_until(source, from.value + 1);
    const NodeIndex node = node_of(source, from.value);
    nodes_[node].feeds.push_back(to);
    grow(to, {.strand = source, .value = from.value + 1, .how = Growth::How::edge, .why = why});
    come_after(to, node);
}

void UcgWindow::come_after(NodeIndex node, NodeIndex other) {
    for (StrandIndex s = 0; s < nodes_[other].clock.size() && !refuted_; ++s)
        grow(node, {.strand = s, .value = nodes_[other].clock[s], .how = Growth::How::after, .via = other});
}

void UcgWindow::grow(NodeIndex index, const Growth& growth) {
    Node& node = nodes_[index];
    if (node.must_follow(growth.strand) >= growth.value) return;
    if (node.clock.size() <= growth.strand) node.clock.resize(growth.strand + 1);
    node.clock[growth.strand] = growth.value;
    node.growths.push_back(growth);
    if (node.strand == growth.strand && growth.value > node.id) return refute_by_cycle(index);
    enqueue(index);
}

void UcgWindow::enqueue(NodeIndex index) {
    if (!std::exchange(nodes_[index].queued, true)) changed_.emplace(nodes_[index].turn, index);
}

// --- the rules -------------------------------------------------------------------------------------

bool UcgWindow::settle() {
    while (!refuted_) {
        if (nodes_.size() > max_nodes_) return false;
        if (!fresh_.empty()) {
            const NodeIndex node = fresh_.front();
            fresh_.pop_front();
            add_seeds(node);
            if (nodes_[node].strand != kNone) add_unreleased(node);
            enqueue(node);
        } else if (!changed_.empty()) {
            const NodeIndex node = changed_.begin()->second;
            changed_.erase(changed_.begin());
            nodes_[node].queued = false;
            visit(node);
        } else if (!pending_.empty()) {
            const auto [id, strand] = *pending_.begin();
            append_until(strand, id + 1);
        } else if (!apply_semaphores()) {
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
        if (context_.seeds.is_joint(seed.from))
            come_after(node, joint_node(seed.from, node));
        else
            edge(EventId{seed.from}, node, {.reason = CycleReason::seed, .seed = seed.kind});
    }
}

/// Rules 11 and 12: a section that is entered and never left comes after all it excludes.
void UcgWindow::add_unreleased(NodeIndex acquire) {
    const Node& node = nodes_[acquire];
    if (node.held.empty() || context_.locks[node.held.back()].acquire.value != node.id) return;
    const std::uint32_t opened = node.held.back();
    const StrandIndex own = node.strand;
    const LockSection& section = context_.locks[opened];
    for (std::size_t k = 0; k < unreleased_.size() && !refuted_; ++k)
        if (context_.locks[unreleased_[k]].excludes(section))
            section_before(section, context_.locks[unreleased_[k]]);
    if (!section.open_at(strands_[own].cap)) return;
    unreleased_.push_back(opened);
    for (StrandIndex s = 0; s < strands_.size() && !refuted_; ++s) {
        if (s == own) continue;
        const LockSection* other =
            context_.locks.last_excluding(section, strands_[s].thread, strands_[s].need);
        if (other != nullptr && other->acquire.value >= strands_[s].base) section_before(*other, section);
    }
}

void UcgWindow::section_before(const LockSection& first, const LockSection& second) {
    const StrandIndex strand = strand_of(first.thread);
    if (first.open_at(strands_[strand].cap)) return refute_by_holds(first, second);
    edge(first.release, node_of(strand_of(second.thread), second.acquire.value),
         {.reason = CycleReason::lock, .lock = first.lock, .section = first.acquire});
}

/// Chains (§3.4): what comes after the node comes after all that the node does.
void UcgWindow::spread(NodeIndex index) {
    for (std::size_t k = 0; k < nodes_[index].feeds.size() && !refuted_; ++k)
        come_after(nodes_[index].feeds[k], index);
    const NodeIndex next = nodes_[index].next;
    if (next == kNone) return;
    for (StrandIndex s = 0; s < nodes_[index].clock.size() && !refuted_; ++s)
        grow(next, {.strand = s, .value = nodes_[index].clock[s], .via = index});
}

/// Rules 14 to 16: if a section of another thread was entered before an event within one of ours, it was also
/// left before ours was entered. For sections that are not left rule 11 has given the opposite edge.
void UcgWindow::order_sections(NodeIndex index) {
    for (std::size_t h = 0; h < nodes_[index].held.size(); ++h) {
        const LockSection& section = context_.locks[nodes_[index].held[h]];
        for (StrandIndex s = 0; s < nodes_[index].clock.size() && !refuted_; ++s) {
            if (s == nodes_[index].strand) continue;
            const Bound entered = nodes_[index].clock[s];
            if (entered == 0) continue;
            const LockSection* other = context_.locks.last_excluding(section, strands_[s].thread, entered);
            if (other == nullptr || other->acquire.value < strands_[s].base) continue;
            if (!other->open_at(strands_[s].cap)) section_before(*other, section);
        }
    }
}

} // namespace heddle
