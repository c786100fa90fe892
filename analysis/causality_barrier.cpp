#include "analysis/causality_barrier.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace heddle {

void CausalityBarrier::lower(std::uint32_t line, Bound at) {
    const auto found = std::ranges::lower_bound(lowered_, line, {}, &Lowered::line);
    if (found != lowered_.end() && found->line == line)
        found->at = at;
    else
        lowered_.insert(found, {line, at});
}

void BarrierFinder::extend(const Trace& trace, const SeedEdges& seeds) {
    std::size_t operations = 0;
    for (const CountedSemaphore& semaphore : seeds.semaphores().all()) {
        for (const SemaphoreColumn& column : semaphore.columns) operations += column.operations.size();
    }
    if (operations != semaphore_operations_) {
        // A second thread that waits makes a difference to what went before: begin anew.
        free_.clear();
        debts_.clear();
        synchronisation_taken_ = 0;
        semaphore_operations_ = operations;
        find_debts(seeds.semaphores().all());
    }
    const std::size_t lines = 2 * std::max(trace.thread_count(), seeds.chain_count());
    free_.resize(lines, {Free{}});
    crossings_.resize(lines);
    debts_.resize(trace.thread_count());
    find_free(trace, seeds);
    add_crossings(trace, seeds);
    find_base();
}

void BarrierFinder::find_base() {
    base_.assign(free_.size(), kNoBound);
    CausalityBarrier whole(base_);
    std::vector<std::uint32_t> lines;
    for (std::uint32_t line = 0; line < free_.size(); ++line)
        if (const Bound at = retreat(line, kNoBound); at != kNoBound) {
            whole.lower(line, at);
            lines.push_back(line);
        }
    settle(whole, lines);
    for (const auto& [line, at] : whole.lowered_) base_[line] = at;
}

void BarrierFinder::find_debts(std::span<const CountedSemaphore> semaphores) {
    debts_of_.clear();
    const auto waits = [](const SemaphoreColumn& column) { return !std::ranges::is_sorted(column.balance); };
    for (const CountedSemaphore& semaphore : semaphores) {
        if (std::ranges::count_if(semaphore.columns, waits) <= 1) continue;
        for (const SemaphoreColumn& column : semaphore.columns) {
            std::int64_t best = 0;
            for (std::size_t k = 0; k < column.operations.size(); ++k) {
                const bool was_best = column.balance[k] >= best;
                best = std::max(best, column.balance[k + 1]);
                const bool is_best = column.balance[k + 1] >= best;
                if (was_best != is_best) debts_of_[column.operations[k].value] = is_best ? 1 : -1;
            }
        }
    }
}

void BarrierFinder::find_free(const Trace& trace, const SeedEdges& seeds) {
    const auto change = [&](const EventView& event, int by) {
        std::vector<Free>& stretches = free_[std::size_t{2} * event.thread().value];
        int& debt = debts_[event.thread().value];
        if (debt == 0 && by > 0) stretches.back().to = event.id().value;
        debt += by;
        if (debt == 0 && by < 0) stretches.push_back({.from = event.id().value + 1});
    };
    for (const EventId id : seeds.synchronisation().subspan(synchronisation_taken_)) {
        const EventView event = trace[id];
        switch (event.kind()) {
        case EventKind::acquire:
        case EventKind::acquire_shared: change(event, 1); break;
        case EventKind::release:
        case EventKind::release_shared:
            if (debts_[event.thread().value] > 0) change(event, -1);
            break;
        case EventKind::sem_post:
        case EventKind::sem_wait:
            if (const auto found = debts_of_.find(event.id().value); found != debts_of_.end())
                change(event, -found->second);
            break;
        default: break;
        }
    }
    synchronisation_taken_ = seeds.synchronisation().size();
}

/// "If the target is before the barrier, so is the source": an edge is implied by one with a later source and
/// an earlier target.
void BarrierFinder::Crossing::add(Bound source, Bound target) {
    const auto at = std::ranges::lower_bound(sources, source) - sources.begin();
    if (static_cast<std::size_t>(at) < sources.size() && targets[static_cast<std::size_t>(at)] <= target)
        return;
    const bool known =
        static_cast<std::size_t>(at) < sources.size() && sources[static_cast<std::size_t>(at)] == source;
    auto first = at;
    while (first > 0 && targets[static_cast<std::size_t>(first - 1)] >= target) --first;
    const auto last = known ? at + 1 : at;
    sources.erase(sources.begin() + first, sources.begin() + last);
    targets.erase(targets.begin() + first, targets.begin() + last);
    sources.insert(sources.begin() + first, source);
    targets.insert(targets.begin() + first, target);
}

void BarrierFinder::add_crossings(const Trace& trace, const SeedEdges& seeds) {
    const auto line_of = [&](SeedNode node) {
        return SeedEdges::is_joint(node) ? 2 * seeds.joint(node).chain + 1
                                         : 2 * trace[EventId{node}].thread().value;
    };
    const auto add = [&](SeedNode from, SeedNode to) {
        const std::uint32_t to_line = line_of(to);
        auto& lists = crossings_[line_of(from)];
        if (&lists == &crossings_[to_line]) return;
        auto list = std::ranges::find(lists, to_line, &Crossing::to_line);
        if (list == lists.end()) list = lists.insert(list, {.to_line = to_line});
        list->add(from, to);
    };
    for (const SeedEdge& edge : seeds.edges().subspan(edges_taken_)) add(edge.from, edge.to);
    for (const SeedEdge& edge : seeds.joint_edges().subspan(joint_edges_taken_)) add(edge.from, edge.to);
    edges_taken_ = seeds.edges().size();
    joint_edges_taken_ = seeds.joint_edges().size();
    for (const CountedSemaphore& semaphore : seeds.semaphores().all())
        for (const auto& [post, wait] : semaphore.paid_by) add(post.value, wait.value);
}

Bound BarrierFinder::retreat(std::uint32_t line, Bound at_most) const {
    const std::vector<Free>& stretches = free_[line];
    const auto after = std::ranges::upper_bound(stretches, at_most, {}, &Free::from);
    return std::min(at_most, std::prev(after)->to);
}

void BarrierFinder::settle(CausalityBarrier& barrier, std::span<const std::uint32_t> moved) const {
    // The earliest first: edges lead forward, so what it asks of other lines lies after it, and but for locks
    // no line is looked at twice.
    using Moved = std::pair<Bound, std::uint32_t>;
    std::priority_queue<Moved, std::vector<Moved>, std::greater<>> open;
    for (const std::uint32_t line : moved) open.emplace(barrier.at(line), line);
    while (!open.empty()) {
        const auto [at, line] = open.top();
        open.pop();
        if (barrier.at(line) != at) continue; // moved again since
        for (const Crossing& crossing : crossings_[line]) {
            const auto first = std::ranges::lower_bound(crossing.sources, at);
            if (first == crossing.sources.end()) continue;
            const auto target = crossing.targets[static_cast<std::size_t>(first - crossing.sources.begin())];
            if (barrier.at(crossing.to_line) <= target) continue;
            const Bound lowered = retreat(crossing.to_line, target);
            barrier.lower(crossing.to_line, lowered);
            open.emplace(lowered, crossing.to_line);
        }
    }
}

CausalityBarrier BarrierFinder::last_before(std::span<const Limit> limits) const {
    CausalityBarrier barrier(base_);
    std::vector<std::uint32_t> moved;
    for (const Limit& limit : limits) {
        const std::uint32_t line = 2 * limit.thread.value;
        if (barrier.at(line) <= limit.at_most) continue;
        barrier.lower(line, retreat(line, limit.at_most));
        moved.push_back(line);
    }
    settle(barrier, moved);
    return barrier;
}

CausalityBarrier BarrierFinder::start() const {
    CausalityBarrier barrier(base_);
    for (std::uint32_t line = 0; line < base_.size(); ++line) barrier.lower(line, 0);
    return barrier;
}

} // namespace heddle
