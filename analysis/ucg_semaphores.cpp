// Counted semaphores in a window of the Universal Causality Graph (ucg_window.h): not in the paper.
#include "analysis/ucg_window.h"

#include <algorithm>

namespace heddle {

/// Looks at the waits in turn, one change at a time, until none of them changes anything.
bool UcgWindow::apply_semaphores() {
    const SemaphoreBalances& semaphores = context_.seeds.semaphores();
    for (std::size_t k = 0; k < waits_.size(); ++k) {
        if (next_wait_ >= waits_.size()) next_wait_ = 0;
        const NodeIndex node = waits_[next_wait_];
        const EventView wait = context_.trace[EventId{nodes_[node].id}];
        if (apply_semaphore(node, semaphores.all()[semaphores.number_of(wait.semaphore())])) return true;
        ++next_wait_;
    }
    return false;
}

/// Each other thread's balance lies in the stretch between what must come before the wait and what must come
/// after it. If the wait needs more of one thread than all others can give, the stretch shrinks to where that
/// thread gives it.
bool UcgWindow::apply_semaphore(NodeIndex wait, const CountedSemaphore& semaphore) {
    struct Stretch {
        const SemaphoreColumn* column;
        StrandIndex strand;
        std::size_t from;
        std::size_t to;
        std::int64_t best;
    };
    const StrandIndex own = nodes_[wait].strand;
    const Bound id = nodes_[wait].id;
    std::vector<Stretch> stretches;
    std::int64_t available = semaphore.count;
    for (const SemaphoreColumn& column : semaphore.columns) {
        if (column.thread == strands_[own].thread) {
            available += column.balance[column.operations_before(id)];
            continue;
        }
        const StrandIndex s = strand_of(column.thread);
        const Strand& strand = strands_[s];
        const auto first =
            std::ranges::partition_point(strand.nodes, [&](NodeIndex n) { return clock(n, own) <= id; });
        const Bound until = first != strand.nodes.end() ? nodes_[*first].id : strand.cap;
        Stretch stretch{.column = &column,
                        .strand = s,
                        .from = column.operations_before(std::max(clock(wait, s), strand.base)),
                        .to = column.operations_before(until)};
        if (stretch.from > stretch.to) stretch.to = stretch.from; // a cycle that is about to show
        stretch.best = column.best(stretch.from, stretch.to);
        available += stretch.best;
        stretches.push_back(stretch);
    }
    if (available <= 0 && stretches.empty()) {
        refute_by_count(wait);
        return true;
    }
    const Why why{.reason = CycleReason::semaphore};
    for (const Stretch& stretch : stretches) {
        const SemaphoreColumn& column = *stretch.column;
        const std::int64_t needed = stretch.best - (available - 1);
        if (column.balance[stretch.from] < needed) {
            const std::size_t enough = column.first_with(needed, stretch.from);
            if (enough == column.balance.size())
                refute_by_count(wait);
            else
                edge(column.operations[enough - 1], wait, why);
            return true;
        }
        if (column.balance[stretch.to] >= needed) continue;
        const EventId taking = column.operations[column.last_with(needed, stretch.to)];
        if (taking.value >= strands_[stretch.strand].need) continue;
        const NodeIndex later = node_of(stretch.strand, taking.value);
        if (clock(later, own) > id) continue;
        edge(EventId{id}, later, why);
        return true;
    }
    return false;
}

} // namespace heddle
