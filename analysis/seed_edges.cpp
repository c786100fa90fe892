#include "analysis/seed_edges.h"

#include <algorithm>
#include <functional>

namespace heddle {

std::string_view describe(SeedKind kind) {
    switch (kind) {
    case SeedKind::fork: return "the thread is started first";
    case SeedKind::join: return "the join waits for the thread's end";
    case SeedKind::wait_notify: return "the notify woke this wait";
    case SeedKind::notify_wait: return "the wait ended by this notify";
    case SeedKind::barrier: return "all enter the barrier before one leaves";
    case SeedKind::semaphore_init: return "the semaphore is made first";
    case SeedKind::semaphore_count: return "the wait needs this post";
    case SeedKind::once: return "the initialisation ends before it is seen";
    case SeedKind::annotation: return "annotated as happening before";
    case SeedKind::atomic: return "the acquire synchronises with this release";
    }
    return "";
}

std::span<const SeedEdge> SeedEdges::into(SeedNode node) const {
    if (is_joint(node)) return joint(node).sources;
    const auto first = std::ranges::lower_bound(edges_, node, {}, &SeedEdge::to);
    auto last = first;
    while (last != edges_.end() && last->to == node) ++last;
    return {first, last};
}

namespace {

[[nodiscard]] bool acquires(MemoryOrder order) {
    return order == MemoryOrder::acquire || order == MemoryOrder::consume || order == MemoryOrder::acq_rel ||
           order == MemoryOrder::seq_cst;
}
[[nodiscard]] bool releases(MemoryOrder order) {
    return order == MemoryOrder::release || order == MemoryOrder::acq_rel || order == MemoryOrder::seq_cst;
}
[[nodiscard]] std::uint64_t pair_key(std::uint32_t high, std::uint32_t low) {
    return static_cast<std::uint64_t>(high) << 32U | low;
}
[[nodiscard]] auto by_target(const SeedEdge& edge) {
    return std::pair(edge.to, edge.from);
}

/// Whether an edge may lead from the event to one of another thread, but for a thread's last one to its join.
[[nodiscard]] bool may_be_source(const EventView& event) {
    switch (event.kind()) {
    case EventKind::fork:
    case EventKind::wait_pre:
    case EventKind::notify:
    case EventKind::notify_all:
    case EventKind::barrier_enter:
    case EventKind::sem_init:
    case EventKind::sem_post:
    case EventKind::once_end:
    case EventKind::happens_before: return true;
    case EventKind::atomic_store:
    case EventKind::atomic_rmw: return releases(event.order());
    default: return false;
    }
}

/// The edges that a counted semaphore forces.
class SemaphoreEdges {
  public:
    SemaphoreEdges(const CountedSemaphore& semaphore, std::vector<SeedEdge>& edges) : edges_(edges) {
        std::int64_t best = 0;
        std::vector<const SemaphoreColumn*> givers;
        for (const SemaphoreColumn& column : semaphore.columns) {
            best += column.best();
            if (column.best() > 0) givers.push_back(&column);
        }
        std::ranges::sort(givers, std::greater{},
                          [](const SemaphoreColumn* column) { return column->best(); });
        for (const SemaphoreColumn& column : semaphore.columns)
            add_forced_posts(column, semaphore.count, best - column.best(), givers);
    }

  private:
    /// A wait with own balance b is allowed when count + b + the balances of the others > 0. If all others
    /// but one gave the most they ever can and it is not enough, that one must have reached a balance of the
    /// rest: its first operation that does comes before the wait in every schedule.
    void add_forced_posts(const SemaphoreColumn& column, std::int64_t count, std::int64_t best_of_others,
                          const std::vector<const SemaphoreColumn*>& givers) {
        std::unordered_map<const SemaphoreColumn*, std::size_t> known;
        for (std::size_t k = 0; k < column.operations.size(); ++k) {
            if (column.balance[k + 1] > column.balance[k]) continue;
            const std::int64_t missing = 1 - count - column.balance[k];
            const std::int64_t spare = best_of_others - missing;
            for (const SemaphoreColumn* giver : givers) {
                if (giver->best() <= spare) break;
                if (giver == &column) continue;
                std::size_t& reached = known[giver];
                const std::size_t before = reached;
                while (reached + 1 < giver->balance.size() && giver->balance[reached] < giver->best() - spare)
                    ++reached;
                if (reached > before)
                    edges_.push_back({giver->operations[reached - 1].value, column.operations[k].value,
                                      SeedKind::semaphore_count});
            }
        }
    }

    std::vector<SeedEdge>& edges_;
};

} // namespace

bool SeedEdges::extend(const Trace& trace) {
    threads_.resize(std::max(threads_.size(), trace.thread_count()));
    heads_.resize(std::max(heads_.size(), trace.objects(ObjectKind::variable).size()));
    const std::size_t first_new = taken_;
    const std::size_t first_new_edge = edges_.size();
    const std::size_t first_new_start = starts_.size();
    for (const EventView event : trace.events(EventId{taken_}, EventId{trace.size()})) {
        // Most events of a run are plain accesses: they matter only where they hide a release.
        Thread& thread = threads_[event.thread().value];
        const bool may_hide = !head_sets_.empty() && writes_memory(event.kind());
        if (is_plain_access(event.kind()) && !thread.starts && !may_hide) [[likely]] {
            ++thread.events;
            thread.last = event.id();
        } else {
            visit(trace, event);
        }
    }
    taken_ = trace.size();
    if (std::exchange(semaphores_moved_, false) && !take_semaphore_edges(trace, first_new)) return false;
    const auto fresh = std::span(edges_).subspan(first_new_edge);
    if (std::ranges::any_of(fresh, [&](const SeedEdge& edge) { return edge.to < first_new; })) return false;
    std::ranges::sort(fresh, {}, by_target);
    add_starts(trace, first_new_edge, first_new_start);
    return true;
}

void SeedEdges::visit(const Trace& trace, EventView event) {
    Thread& thread = threads_[event.thread().value];
    if (thread.starts) {
        starts_.push_back({event.id(), thread.events});
        if (thread.events == 0 && thread.forked_by.valid())
            edges_.push_back({thread.forked_by.value, event.id().value, SeedKind::fork});
        thread.starts = false;
    }
    ++thread.events;
    thread.last = event.id();
    if (is_plain_access(event.kind())) {
        if (writes_memory(event.kind()) && !head_sets_.empty()) access(trace, event);
        return;
    }
    thread.starts = may_be_source(event);
    synchronisation_.push_back(event.id());
    synchronise(trace, event);
}

void SeedEdges::synchronise(const Trace& trace, const EventView& event) {
    switch (event.kind()) {
    case EventKind::fork:
        if (event.other_thread() != event.thread() && threads_[event.other_thread().value].events == 0)
            threads_[event.other_thread().value].forked_by = event.id();
        break;
    case EventKind::join:
        if (const Thread& child = threads_[event.other_thread().value]; child.events > 0)
            add(event.other_thread(), child.last, event.thread(), event.id(), SeedKind::join);
        break;
    case EventKind::wait_pre: waiting_[pair_key(event.thread().value, event.target())] = event.id(); break;
    case EventKind::notify:
    case EventKind::notify_all:
        if (event.has_value()) notified_[{event.target(), trace.value_of(event)}] = event.id();
        break;
    case EventKind::wait_post: end_wait(trace, event); break;
    case EventKind::barrier_enter:
        if (event.has_value()) add_to_joint(barrier_round(trace, event), event.id().value, SeedKind::barrier);
        break;
    case EventKind::barrier_leave:
        if (event.has_value())
            edges_.push_back({barrier_round(trace, event), event.id().value, SeedKind::barrier});
        break;
    case EventKind::sem_init:
    case EventKind::sem_post:
    case EventKind::sem_wait:
        semaphores_.take(trace, event);
        semaphores_moved_ = true;
        break;
    case EventKind::once_end: once_[event.target()] = event.id(); break;
    case EventKind::once_seen:
        if (const auto end = once_.find(event.target()); end != once_.end())
            add(trace[end->second].thread(), end->second, event.thread(), event.id(), SeedKind::once);
        break;
    case EventKind::happens_before: tags_[event.target()].nodes.push_back(event.id().value); break;
    case EventKind::happens_after: wait_for(trace, tags_[event.target()], event, SeedKind::annotation); break;
    default:
        if (is_access(event.kind())) access(trace, event);
        break;
    }
}

void SeedEdges::end_wait(const Trace& trace, const EventView& event) {
    if (!event.has_value()) return;
    const auto notify = notified_.find({event.target(), trace.value_of(event)});
    if (notify == notified_.end()) return;
    const ThreadId notifier = trace[notify->second].thread();
    add(notifier, notify->second, event.thread(), event.id(), SeedKind::notify_wait);
    const auto began = waiting_.find(pair_key(event.thread().value, event.target()));
    if (began != waiting_.end() && began->second < notify->second)
        add(event.thread(), began->second, notifier, notify->second, SeedKind::wait_notify);
}

/// Keeps the release heads of a variable (docs/algorithms.md). A read-modify-write that acquires and
/// releases comes after all heads and so stands for them.
void SeedEdges::access(const Trace& trace, const EventView& event) {
    const bool synchronises = traits(event.kind()).atomic;
    std::uint32_t& slot = heads_[event.target()];
    if (slot == 0) { // nobody released it yet
        if (!synchronises || !writes_memory(event.kind()) || !releases(event.order())) return;
        head_sets_.emplace_back();
        slot = static_cast<std::uint32_t>(head_sets_.size());
    }
    Sources& heads = head_sets_[slot - 1];
    const bool acquiring = synchronises && reads_memory(event.kind()) && acquires(event.order());
    const bool releasing = synchronises && writes_memory(event.kind()) && releases(event.order());
    if (acquiring) wait_for(trace, heads, event, SeedKind::atomic);
    if (!writes_memory(event.kind())) return;
    if (event.kind() != EventKind::atomic_rmw || (acquiring && releasing)) heads.nodes.clear();
    if (releasing) heads.nodes.push_back(event.id().value);
}

/// Many sources become one joint, which stands for them from now on.
void SeedEdges::wait_for(const Trace& trace, Sources& sources, const EventView& event, SeedKind kind) {
    if (sources.nodes.empty()) return;
    if (sources.nodes.size() > 1) {
        if (sources.chain == kNoChain) sources.chain = static_cast<std::uint32_t>(chain_count_++);
        const SeedNode joint = new_joint(sources.chain);
        for (const SeedNode source : sources.nodes) add_to_joint(joint, source, kind);
        sources.nodes = {joint};
    }
    const SeedNode source = sources.nodes.front();
    if (is_joint(source) || trace[EventId{source}].thread() != event.thread())
        edges_.push_back({source, event.id().value, kind});
}

SeedNode SeedEdges::barrier_round(const Trace& trace, const EventView& event) {
    const auto [round, is_new] = rounds_.try_emplace({event.target(), trace.value_of(event)}, 0);
    if (is_new) {
        const auto [chain, first] = barrier_chains_.try_emplace(event.target(), 0);
        if (first) chain->second = static_cast<std::uint32_t>(chain_count_++);
        round->second = new_joint(chain->second);
    }
    return round->second;
}

SeedNode SeedEdges::new_joint(std::uint32_t chain) {
    joints_.push_back({.chain = chain, .sources = {}});
    return kFirstJoint + static_cast<SeedNode>(joints_.size() - 1);
}

void SeedEdges::add_to_joint(SeedNode joint, SeedNode source, SeedKind kind) {
    joints_[joint - kFirstJoint].sources.push_back({source, joint, kind});
    joint_edges_.push_back({source, joint, kind});
}

void SeedEdges::add(ThreadId from_thread, EventId from, ThreadId to_thread, EventId to, SeedKind kind) {
    if (from_thread != to_thread) edges_.push_back({from.value, to.value, kind});
}

/// Semaphores are counted over the whole run: a later post may undo what seemed forced. All their edges are
/// made anew; those into earlier events must be what they were.
bool SeedEdges::take_semaphore_edges(const Trace& trace, std::size_t first_new) {
    semaphores_.index();
    std::vector<SeedEdge> edges;
    for (const CountedSemaphore& semaphore : semaphores_.all()) {
        for (const SemaphoreColumn& column : semaphore.columns)
            edges.push_back(
                {semaphore.init.value, column.operations.front().value, SeedKind::semaphore_init});
        SemaphoreEdges(semaphore, edges);
    }
    std::erase_if(edges, [&](const SeedEdge& edge) {
        return trace[EventId{edge.from}].thread() == trace[EventId{edge.to}].thread();
    });
    std::ranges::sort(edges, {}, by_target);
    const auto fresh = std::ranges::lower_bound(edges, first_new, {}, &SeedEdge::to);
    if (!std::ranges::equal(edges.begin(), fresh, semaphore_edges_.begin(), semaphore_edges_.end()))
        return false;
    edges_.insert(edges_.end(), fresh, edges.end());
    semaphore_edges_ = std::move(edges);
    return true;
}

/// Targets of the new edges start something new as well.
void SeedEdges::add_starts(const Trace& trace, std::size_t first_new_edge, std::size_t first_new_start) {
    for (const SeedEdge& edge : std::span(edges_).subspan(first_new_edge)) {
        starts_.push_back({EventId{edge.to}, trace.index_in_thread(EventId{edge.to})});
    }
    const auto fresh = starts_.begin() + static_cast<std::ptrdiff_t>(first_new_start);
    std::sort(fresh, starts_.end(), [](const Start& a, const Start& b) { return a.event < b.event; });
    starts_.erase(std::unique(fresh, starts_.end()), starts_.end());
}

} // namespace heddle
