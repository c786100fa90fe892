#include "analysis/ucg.h"

#include "analysis/lock_profiles.h"
#include "analysis/ucg_window.h"
#include "traces/describe.h"

#include <algorithm>
#include <utility>

namespace heddle {

namespace {

/// "T1 acquire l (bank.cpp:41:9)"
[[nodiscard]] std::string in_words(const Trace& trace, EventId id) {
    const EventView event = trace[id];
    std::string text = trace.display_name(ObjectKind::thread, event.thread().value);
    text += ' ';
    text += describe(trace, event);
    const std::string place = trace.place_text(trace.place_for_people(event.stack()));
    if (!place.empty()) text += " (" + place + ")";
    return text;
}

[[nodiscard]] bool ends_a_section(const EventView& event) {
    return event.kind() == EventKind::release || event.kind() == EventKind::release_shared;
}

[[nodiscard]] std::string reason_in_words(const Trace& trace, const CycleEdge& edge) {
    switch (edge.reason) {
    case CycleReason::program_order: return "program order";
    case CycleReason::seed: return std::string(describe(edge.seed));
    case CycleReason::lock:
        if (!ends_a_section(trace[edge.from]))
            return trace.display_name(ObjectKind::lock, edge.lock.value) + " is held there since " +
                   in_words(trace, edge.section);
        return "the section of " + trace.display_name(ObjectKind::lock, edge.lock.value) + " that " +
               in_words(trace, edge.section) + " begins can only be the earlier one";
    case CycleReason::semaphore: return "the semaphore's count would not suffice otherwise";
    case CycleReason::property: return "the violation asks for it";
    }
    return "";
}

} // namespace

bool UcgContext::extend_seeds(const Trace& longer) {
    trace = longer;
    return seeds.extend(trace);
}

void UcgContext::extend_rest() {
    locks.extend(trace, seeds.synchronisation().subspan(synchronisation_taken_));
    extend_skeleton();
    barriers.extend(trace, seeds);
}

/// Lock and semaphore operations, and the ends of seed edges: those of new edges may be old events.
void UcgContext::extend_skeleton() {
    skeleton.resize(std::max(skeleton.size(), trace.thread_count()));
    std::vector<bool> ends(trace.size() - taken_);
    std::vector<EventId> others; // few: old events, and plain accesses with which threads begin or end
    const auto keep = [&](const SeedEdge& edge) {
        for (const SeedNode node : {edge.from, edge.to}) {
            if (SeedEdges::is_joint(node)) continue;
            if (node >= taken_ && !is_plain_access(trace[EventId{node}].kind()))
                ends[node - taken_] = true;
            else
                others.emplace_back(node);
        }
    };
    std::ranges::for_each(seeds.edges().subspan(edges_taken_), keep);
    std::ranges::for_each(seeds.joint_edges().subspan(joint_edges_taken_), keep);
    for (const EventId id : seeds.synchronisation().subspan(synchronisation_taken_)) {
        const EventView event = trace[id];
        const bool counts = is_lock_event(event.kind()) || event.kind() == EventKind::sem_post ||
                            event.kind() == EventKind::sem_wait;
        if (counts || ends[id.value - taken_]) skeleton[event.thread().value].push_back(id.value);
    }
    for (const EventId id : others) {
        std::vector<Bound>& events = skeleton[trace[id].thread().value];
        const auto at = std::ranges::lower_bound(events, id.value);
        if (at == events.end() || *at != id.value) events.insert(at, id.value);
    }
    taken_ = trace.size();
    synchronisation_taken_ = seeds.synchronisation().size();
    edges_taken_ = seeds.edges().size();
    joint_edges_taken_ = seeds.joint_edges().size();
}

CausalityGraph::CausalityGraph() : context_(std::make_shared<UcgContext>()) {}

CausalityGraph::CausalityGraph(const Trace& trace) : CausalityGraph() {
    static_cast<void>(extend_seeds(trace));
    extend_rest();
}

bool CausalityGraph::extend_seeds(const Trace& trace) {
    return context_->extend_seeds(trace);
}

void CausalityGraph::extend_rest() {
    context_->extend_rest();
}

const SeedEdges& CausalityGraph::seeds() const {
    return context_->seeds;
}

UcgVerdict CausalityGraph::decide(const Property& property, std::size_t max_window) const {
    return UcgWindow(*context_, property).decide(max_window);
}

UcgVerdict CausalityGraph::decide_unchopped(const Property& property) const {
    return UcgWindow(*context_, property, context_->barriers.start()).decide(kMaxWindow);
}

std::optional<UcgProjection> CausalityGraph::projection(const Property& property) const {
    UcgWindow window(*context_, property);
    const UcgVerdict verdict = window.decide(kMaxWindow);
    if (!verdict.feasible || !verdict.complete) return std::nullopt;
    return window.projection();
}

void UcgProjection::sort() {
    std::ranges::sort(nodes, {}, &Node::event);
    const auto same = [](const Node& a, const Node& b) { return a.event == b.event; };
    nodes.erase(std::unique(nodes.begin(), nodes.end(), same), nodes.end());
    for (Node& node : nodes) std::ranges::sort(node.after, {}, &After::thread);
}

std::size_t CausalityGraph::window_size(const Property& property) const {
    UcgWindow window(*context_, property);
    static_cast<void>(window.decide(kMaxWindow));
    return window.node_count();
}

std::string explain(const Trace& trace, const UcgVerdict& verdict) {
    std::string text;
    for (const CycleEdge& edge : verdict.cycle)
        text += in_words(trace, edge.from) + " before " + in_words(trace, edge.to) + ": " +
                reason_in_words(trace, edge) + "\n";
    return text;
}

} // namespace heddle
