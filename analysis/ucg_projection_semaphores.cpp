// Counted semaphores in a projection (ucg_projection.h): the same rule as in a window (ucg_semaphores.cpp).
// It is not part of the shared clocks, since what may still be taken depends on where the property stops.
#include "analysis/ucg_projection.h"

#include <algorithm>

namespace heddle {

/// Looks at the waits that must run, until one of them changes something. False if none does.
bool UcgProjector::apply_semaphores() {
    for (const CountedSemaphore& semaphore : context_.seeds.semaphores().all())
        for (const SemaphoreColumn& column : semaphore.columns) {
            const StrandIndex own = segment_->strand_of(column.thread);
            if (own == UcgSegment::kNone) continue;
            const std::size_t until = column.operations_before(strands_[own].need);
            for (std::size_t k = column.operations_before(barrier_->of(column.thread)); k < until; ++k)
                if (column.balance[k + 1] < column.balance[k] &&
                    apply_semaphore(own, column.operations[k].value, semaphore))
                    return true;
        }
    return false;
}

/// Between what must come before the wait and what must come after it, `from` and `to` operations of a thread
/// are taken, and its balance is at best `best`.
UcgProjector::Stretch UcgProjector::stretch_of(const SemaphoreColumn& column, StrandIndex own,
                                               Bound wait) const {
    const StrandIndex strand = segment_->strand_of(column.thread);
    const Bound base = barrier_->of(column.thread);
    Bound after = base;
    Bound until = kNoBound;
    if (strand != UcgSegment::kNone) {
        after = std::max(base, clock(own, wait, strand));
        until = std::min(first_after(strand, own, wait), strands_[strand].cap);
    }
    Stretch stretch{.column = &column, .strand = strand, .from = column.operations_before(after)};
    stretch.to = std::max(stretch.from, column.operations_before(until));
    stretch.best = column.best(stretch.from, stretch.to);
    return stretch;
}

bool UcgProjector::apply_semaphore(StrandIndex own, Bound wait, const CountedSemaphore& semaphore) {
    std::vector<Stretch> stretches;
    std::int64_t available = semaphore.count;
    for (const SemaphoreColumn& column : semaphore.columns) {
        if (column.thread == segment_->strands()[own].thread) {
            available += column.balance[column.operations_before(wait)];
            continue;
        }
        stretches.push_back(stretch_of(column, own, wait));
        available += stretches.back().best;
    }
    if (available <= 0 && stretches.empty()) {
        outcome_ = Outcome::refuted;
        return true;
    }
    for (const Stretch& stretch : stretches) {
        const SemaphoreColumn& column = *stretch.column;
        const std::int64_t needed = stretch.best - (available - 1);
        if (column.balance[stretch.from] < needed) {
            const std::size_t enough = column.first_with(needed, stretch.from);
            if (enough == column.balance.size())
                outcome_ = Outcome::refuted;
            else if (stretch.strand == UcgSegment::kNone)
                outcome_ = Outcome::elsewhere;
            else
                edge(stretch.strand, column.operations[enough - 1].value, own, wait);
            return true;
        }
        if (column.balance[stretch.to] >= needed || stretch.strand == UcgSegment::kNone) continue;
        const Bound taking = column.operations[column.last_with(needed, stretch.to)].value;
        if (taking >= strands_[stretch.strand].need || clock(stretch.strand, taking, own) > wait) continue;
        edge(own, wait, stretch.strand, taking);
        return true;
    }
    return false;
}

} // namespace heddle
