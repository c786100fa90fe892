#include "analysis/ucg.h"

#include "analysis/ucg_window.h"
#include "traces/describe.h"

#include <utility>

namespace heddle {

namespace {

[[nodiscard]] std::vector<std::uint32_t> index_semaphores(const Trace& trace,
                                                          const std::vector<CountedSemaphore>& semaphores) {
    std::vector<std::uint32_t> index(trace.objects(ObjectKind::semaphore).size(), 0xFFFF'FFFF);
    for (std::uint32_t k = 0; k < semaphores.size(); ++k) index[semaphores[k].id.value] = k;
    return index;
}

[[nodiscard]] std::vector<std::vector<Bound>> skeleton_of(const Trace& trace, const SeedEdges& seeds) {
    std::vector<bool> kept(trace.size());
    for (const SeedEdge& edge : seeds.edges())
        for (const SeedNode node : {edge.from, edge.to})
            if (!seeds.is_joint(node)) kept[node] = true;
    std::vector<std::vector<Bound>> skeleton(trace.thread_count());
    for (const EventView event : trace.events()) {
        switch (event.kind()) {
        case EventKind::acquire:
        case EventKind::acquire_shared:
        case EventKind::release:
        case EventKind::release_shared:
        case EventKind::sem_post:
        case EventKind::sem_wait: break;
        default:
            if (!kept[event.id().value]) continue;
        }
        skeleton[event.thread().value].push_back(event.id().value);
    }
    return skeleton;
}

/// "T1 acquire l (bank.cpp:41:9)"
[[nodiscard]] std::string in_words(const Trace& trace, EventId id) {
    const EventView event = trace[id];
    std::string text = trace.display_name(ObjectKind::thread, event.thread().value);
    text += ' ';
    text += describe(trace, event);
    const std::string place = trace.place_text(trace.place_of(event.stack()));
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

UcgContext::UcgContext(Trace of)
    : trace(std::move(of)), semaphores(counted_semaphores(trace)),
      semaphore_index(index_semaphores(trace, semaphores)), seeds(seed_edges(trace, semaphores)),
      locks(trace), skeleton(skeleton_of(trace, seeds)), barriers(trace, seeds, semaphores) {}

CausalityGraph::CausalityGraph(const Trace& trace) : context_(std::make_shared<const UcgContext>(trace)) {}

UcgVerdict CausalityGraph::decide(const Property& property, std::size_t max_window) const {
    return UcgWindow(*context_, property).decide(max_window);
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
