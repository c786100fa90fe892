#include "analysis/causality_barrier.h"

#include <algorithm>
#include <tuple>

namespace heddle {

BarrierFinder::BarrierFinder(const Trace& trace, const SeedEdges& seeds,
                             std::span<const CountedSemaphore> semaphores)
    : free_(trace.thread_count() + seeds.chain_count()), crossings_(free_.size()) {
    find_free(trace, semaphores);
    add_crossings(trace, seeds, semaphores);
    base_.assign(free_.size(), kNoBound);
    CausalityBarrier whole(base_);
    std::vector<std::uint32_t> lines;
    for (std::uint32_t line = 0; line < free_.size(); ++line)
        if (const Bound at = retreat(line, kNoBound); at != kNoBound) {
            whole.lowered_[line] = at;
            lines.push_back(line);
        }
    settle(whole, std::move(lines));
    for (const auto& [line, at] : whole.lowered_) base_[line] = at;
}

void BarrierFinder::find_free(const Trace& trace, std::span<const CountedSemaphore> semaphores) {
    // What a semaphore operation does to its thread: -1 it owes more than before, +1 it has given back.
    std::unordered_map<std::uint32_t, int> owing;
    const auto waits = [](const SemaphoreColumn& column) { return !std::ranges::is_sorted(column.balance); };
    for (const CountedSemaphore& semaphore : semaphores) {
        if (std::ranges::count_if(semaphore.columns, waits) <= 1) continue;
        for (const SemaphoreColumn& column : semaphore.columns) {
            std::int64_t best = 0;
            for (std::size_t k = 0; k < column.operations.size(); ++k) {
                const bool was_best = column.balance[k] >= best;
                best = std::max(best, column.balance[k + 1]);
                const bool is_best = column.balance[k + 1] >= best;
                if (was_best != is_best) owing[column.operations[k].value] = is_best ? 1 : -1;
            }
        }
    }
    std::vector<int> debts(trace.thread_count());
    const auto change = [&](const EventView& event, int by) {
        std::vector<Free>& stretches = free_[event.thread().value];
        int& debt = debts[event.thread().value];
        if (debt == 0 && by > 0) stretches.back().to = event.id().value;
        debt += by;
        if (debt == 0 && by < 0) stretches.push_back({.from = event.id().value + 1});
    };
    for (auto& stretches : free_) stretches.push_back({});
    for (const EventView event : trace.events()) {
        switch (event.kind()) {
        case EventKind::acquire:
        case EventKind::acquire_shared: change(event, 1); break;
        case EventKind::release:
        case EventKind::release_shared:
            if (debts[event.thread().value] > 0) change(event, -1);
            break;
        case EventKind::sem_post:
        case EventKind::sem_wait:
            if (const auto found = owing.find(event.id().value); found != owing.end())
                change(event, -found->second);
            break;
        default: break;
        }
    }
}

void BarrierFinder::add_crossings(const Trace& trace, const SeedEdges& seeds,
                                  std::span<const CountedSemaphore> semaphores) {
    const auto line_of = [&](SeedNode node) {
        if (!seeds.is_joint(node)) return trace[EventId{node}].thread().value;
        return static_cast<std::uint32_t>(trace.thread_count()) +
               seeds.joints()[node - seeds.event_count()].chain;
    };
    struct Edge {
        std::uint32_t from_line = 0;
        std::uint32_t to_line = 0;
        Bound source = 0;
        Bound target = 0;
    };
    std::vector<Edge> edges;
    const auto add = [&](SeedNode from, SeedNode to) {
        const Edge edge{line_of(from), line_of(to), from, to};
        if (edge.from_line != edge.to_line) edges.push_back(edge);
    };
    for (const SeedEdge& edge : seeds.edges()) add(edge.from, edge.to);
    for (const CountedSemaphore& semaphore : semaphores)
        for (const auto& [post, wait] : semaphore.paid_by) add(post.value, wait.value);
    std::ranges::sort(edges, {},
                      [](const Edge& e) { return std::tuple(e.from_line, e.to_line, e.source, e.target); });
    for (const Edge& edge : edges) {
        auto& lists = crossings_[edge.from_line];
        if (lists.empty() || lists.back().to_line != edge.to_line) lists.push_back({.to_line = edge.to_line});
        lists.back().sources.push_back(edge.source);
        lists.back().first_target.push_back(edge.target);
    }
    for (auto& lists : crossings_)
        for (Crossing& crossing : lists)
            for (std::size_t k = crossing.sources.size() - 1; k-- > 0;)
                crossing.first_target[k] = std::min(crossing.first_target[k], crossing.first_target[k + 1]);
}

Bound BarrierFinder::retreat(std::uint32_t line, Bound at_most) const {
    const std::vector<Free>& stretches = free_[line];
    const auto after = std::ranges::upper_bound(stretches, at_most, {}, &Free::from);
    return std::min(at_most, std::prev(after)->to);
}

void BarrierFinder::settle(CausalityBarrier& barrier, std::vector<std::uint32_t> moved) const {
    while (!moved.empty()) {
        const std::uint32_t line = moved.back();
        moved.pop_back();
        const Bound at = barrier.of(ThreadId{line});
        for (const Crossing& crossing : crossings_[line]) {
            const auto first = std::ranges::lower_bound(crossing.sources, at);
            if (first == crossing.sources.end()) continue;
            const auto target =
                crossing.first_target[static_cast<std::size_t>(first - crossing.sources.begin())];
            if (barrier.of(ThreadId{crossing.to_line}) <= target) continue;
            barrier.lowered_[crossing.to_line] = retreat(crossing.to_line, target);
            moved.push_back(crossing.to_line);
        }
    }
}

CausalityBarrier BarrierFinder::last_before(std::span<const Limit> limits) const {
    CausalityBarrier barrier(base_);
    std::vector<std::uint32_t> moved;
    for (const Limit& limit : limits) {
        if (barrier.of(limit.thread) <= limit.at_most) continue;
        barrier.lowered_[limit.thread.value] = retreat(limit.thread.value, limit.at_most);
        moved.push_back(limit.thread.value);
    }
    settle(barrier, std::move(moved));
    return barrier;
}

} // namespace heddle
