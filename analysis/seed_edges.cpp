#include "analysis/seed_edges.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

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
    const auto first = std::ranges::lower_bound(edges_, node, {}, &SeedEdge::to);
    return {first, std::ranges::upper_bound(first, edges_.end(), node, {}, &SeedEdge::to)};
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

/// What an acquire or a happens_after waits for: everything gathered before it.
struct Sources {
    std::vector<SeedNode> nodes;
    std::optional<std::uint32_t> chain;
};

} // namespace

class SeedEdgeBuilder {
  public:
    explicit SeedEdgeBuilder(const Trace& trace) : trace_(trace) { result_.event_count_ = trace.size(); }

    SeedEdges build(std::span<const CountedSemaphore> semaphores) {
        for (const EventView event : trace_.events()) visit(event);
        for (const CountedSemaphore& semaphore : semaphores) add_semaphore(semaphore);
        std::ranges::sort(result_.edges_, [](const SeedEdge& a, const SeedEdge& b) {
            return std::pair(a.to, a.from) < std::pair(b.to, b.from);
        });
        return std::move(result_);
    }

  private:
    void visit(const EventView& event) {
        switch (event.kind()) {
        case EventKind::fork: {
            const ThreadIndex& child = trace_.events_of(event.other_thread());
            if (!child.empty()) add(event.id().value, child[0], SeedKind::fork);
            break;
        }
        case EventKind::join: {
            const ThreadIndex& child = trace_.events_of(event.other_thread());
            if (!child.empty()) add(child[child.size() - 1], event.id().value, SeedKind::join);
            break;
        }
        case EventKind::wait_pre:
            waiting_[pair_key(event.thread().value, event.target())] = event.id();
            break;
        case EventKind::notify:
        case EventKind::notify_all:
            if (event.has_value()) notified_[{event.target(), trace_.value_of(event)}] = event.id();
            break;
        case EventKind::wait_post: end_wait(event); break;
        case EventKind::barrier_enter:
            if (event.has_value()) add(event.id().value, barrier_round(event), SeedKind::barrier);
            break;
        case EventKind::barrier_leave:
            if (event.has_value()) add(barrier_round(event), event.id().value, SeedKind::barrier);
            break;
        case EventKind::once_end: once_[event.target()] = event.id(); break;
        case EventKind::once_seen:
            if (const auto end = once_.find(event.target()); end != once_.end())
                add(end->second.value, event.id().value, SeedKind::once);
            break;
        case EventKind::happens_before: tags_[event.target()].nodes.push_back(event.id().value); break;
        case EventKind::happens_after: wait_for(tags_[event.target()], event, SeedKind::annotation); break;
        default:
            if (is_access(event.kind())) access(event);
            break;
        }
    }

    void end_wait(const EventView& event) {
        if (!event.has_value()) return;
        const auto notify = notified_.find({event.target(), trace_.value_of(event)});
        if (notify == notified_.end()) return;
        add(notify->second.value, event.id().value, SeedKind::notify_wait);
        const auto began = waiting_.find(pair_key(event.thread().value, event.target()));
        if (began != waiting_.end() && began->second < notify->second)
            add(began->second.value, notify->second.value, SeedKind::wait_notify);
    }

    /// Keeps the release heads of a variable (docs/algorithms.md). A read-modify-write that acquires and
    /// releases comes after all heads and so stands for them.
    void access(const EventView& event) {
        const std::uint32_t variable = event.target();
        const bool synchronises = traits(event.kind()).atomic;
        if (heads_.empty()) heads_.resize(trace_.objects(ObjectKind::variable).size());
        std::uint32_t& slot = heads_[variable];
        if (slot == 0) { // nobody released it yet
            if (!synchronises || !writes_memory(event.kind()) || !releases(event.order())) return;
            head_sets_.emplace_back();
            slot = static_cast<std::uint32_t>(head_sets_.size());
        }
        Sources& heads = head_sets_[slot - 1];
        const bool acquiring = synchronises && reads_memory(event.kind()) && acquires(event.order());
        const bool releasing = synchronises && writes_memory(event.kind()) && releases(event.order());
        if (acquiring) wait_for(heads, event, SeedKind::atomic);
        if (!writes_memory(event.kind())) return;
        if (event.kind() != EventKind::atomic_rmw || (acquiring && releasing)) heads.nodes.clear();
        if (releasing) heads.nodes.push_back(event.id().value);
    }

    /// Many sources become one joint, which stands for them from now on.
    void wait_for(Sources& sources, const EventView& event, SeedKind kind) {
        if (sources.nodes.empty()) return;
        if (sources.nodes.size() > 1) {
            if (!sources.chain) sources.chain = new_chain();
            const SeedNode joint = new_joint(*sources.chain);
            for (const SeedNode source : sources.nodes) add(source, joint, kind);
            sources.nodes = {joint};
        }
        add(sources.nodes.front(), event.id().value, kind);
    }

    SeedNode barrier_round(const EventView& event) {
        const auto [round, is_new] = rounds_.try_emplace({event.target(), trace_.value_of(event)}, 0);
        if (is_new) {
            const auto [chain, first] = barrier_chains_.try_emplace(event.target(), 0);
            if (first) chain->second = new_chain();
            round->second = new_joint(chain->second);
        }
        return round->second;
    }

    void add_semaphore(const CountedSemaphore& semaphore) {
        std::int64_t best = 0;
        std::vector<const SemaphoreColumn*> givers;
        for (const SemaphoreColumn& column : semaphore.columns) {
            add(semaphore.init.value, column.operations.front().value, SeedKind::semaphore_init);
            best += column.best();
            if (column.best() > 0) givers.push_back(&column);
        }
        std::ranges::sort(givers, std::greater{},
                          [](const SemaphoreColumn* column) { return column->best(); });
        for (const SemaphoreColumn& column : semaphore.columns)
            add_forced_posts(column, semaphore.count, best - column.best(), givers);
    }

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
                    add(giver->operations[reached - 1].value, column.operations[k].value,
                        SeedKind::semaphore_count);
            }
        }
    }

    void add(SeedNode from, SeedNode to, SeedKind kind) {
        const bool between_events = !result_.is_joint(from) && !result_.is_joint(to);
        if (between_events && trace_[EventId{from}].thread() == trace_[EventId{to}].thread()) return;
        result_.edges_.push_back({from, to, kind});
    }
    std::uint32_t new_chain() { return static_cast<std::uint32_t>(result_.chain_count_++); }
    SeedNode new_joint(std::uint32_t chain) {
        result_.joints_.push_back({chain});
        return static_cast<SeedNode>(result_.event_count_ + result_.joints_.size() - 1);
    }

    const Trace& trace_;
    SeedEdges result_;
    std::unordered_map<std::uint64_t, EventId> waiting_;                  ///< by thread and condition
    std::map<std::pair<std::uint32_t, std::uint64_t>, EventId> notified_; ///< by condition and ticket
    std::map<std::pair<std::uint32_t, std::uint64_t>, SeedNode> rounds_;  ///< by barrier and round
    std::unordered_map<std::uint32_t, std::uint32_t> barrier_chains_;
    std::unordered_map<std::uint32_t, EventId> once_;
    std::unordered_map<std::uint32_t, Sources> tags_;
    std::vector<std::uint32_t> heads_; ///< by variable: 0, or 1 + index into head_sets_
    std::vector<Sources> head_sets_;
};

SeedEdges seed_edges(const Trace& trace, std::span<const CountedSemaphore> semaphores) {
    return SeedEdgeBuilder(trace).build(semaphores);
}

} // namespace heddle
