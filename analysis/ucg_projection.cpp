#include "analysis/ucg_projection.h"

#include <algorithm>

namespace heddle {

UcgProjector::Outcome UcgProjector::solve(const UcgSegment& segment, const Property& property,
                                          const CausalityBarrier& barrier) {
    segment_ = &segment;
    barrier_ = &barrier;
    outcome_ = Outcome::feasible;
    begun_ = false;
    growths_.clear();
    asked_.clear();
    extra_.clear();
    const std::size_t count = segment.strands().size();
    strands_.assign(count, {});
    for (StrandIndex s = 0; s < count; ++s) strands_[s].need = segment.strands()[s].base;
    if (steps_.size() < count * count) steps_.resize(count * count);
    for (std::vector<Step>& list : steps_) list.clear();
    std::visit([this](const auto& p) { aim(p); }, property);
    begin();
    settle();
    return outcome_;
}

// --- the property ----------------------------------------------------------------------------------

UcgProjector::StrandIndex UcgProjector::strand_of(EventId event) const {
    return segment_->strand_of(context_.trace[event].thread());
}

void UcgProjector::aim(const Race& race) {
    stop_at(std::vector{race.first, race.second});
}

void UcgProjector::aim(const Deadlock& deadlock) {
    std::vector<EventId> stops;
    for (const DeadlockStep& step : deadlock.steps) stops.push_back(step.requests);
    stop_at(stops);
}

void UcgProjector::stop_at(std::span<const EventId> stops) {
    for (const EventId stop : stops) strands_[strand_of(stop)].cap = stop.value;
    for (const EventId stop : stops) require(strand_of(stop), stop.value);
    for (const EventId stop : stops)
        for (const SeedEdge& seed : context_.seeds.into(stop.value)) {
            if (seed.kind != SeedKind::fork) continue;
            const ThreadId parent = context_.trace[EventId{seed.from}].thread();
            if (seed.from >= segment_->base()[parent.value])
                require(segment_->strand_of(parent), seed.from + 1);
        }
}

void UcgProjector::aim(const AtomicityViolation& violation) {
    const StrandIndex local = strand_of(violation.first);
    const StrandIndex remote = strand_of(violation.remote);
    extra_ = {violation.first, violation.remote, violation.second};
    strands_[local].cap = violation.second.value + 1;
    require(local, violation.second.value + 1);
    require(remote, violation.remote.value + 1);
    asked_ = {{violation.first, violation.remote}, {violation.remote, violation.second}};
}

// --- what must run ---------------------------------------------------------------------------------

void UcgProjector::require(StrandIndex strand, Bound bound) {
    if (bound <= strands_[strand].need || outcome_ != Outcome::feasible) return;
    if (bound > strands_[strand].cap) {
        outcome_ = Outcome::refuted;
        return;
    }
    if (bound > segment_->end()) {
        outcome_ = Outcome::elsewhere;
        return;
    }
    strands_[strand].need = bound;
    if (begun_) take_rows(strand);
}

/// All that must run without steps. Only then is known which provisos hold.
void UcgProjector::begin() {
    bool grown = true;
    while (grown && outcome_ == Outcome::feasible) {
        grown = false;
        for (StrandIndex index = 0; index < strands_.size(); ++index) {
            Strand& strand = strands_[index];
            const Strand before = strand;
            strand.rows = segment_->strands()[index].rows_below(strand.need);
            if (strand.rows > before.rows) require_before(index, row_clock(index, strand.rows - 1));
            if (strand.rows > strand.clean) extend_clean(index);
            if (strand.rows != before.rows || strand.clean != before.clean) grown = true;
        }
    }
    begun_ = true;
    for (StrandIndex index = 0; index < strands_.size() && outcome_ == Outcome::feasible; ++index)
        if (strands_[index].rows > strands_[index].clean) look_at_rows(index, 0);
}

/// Clocks are closed under chains: the last one says what else must run.
void UcgProjector::require_before(StrandIndex strand, std::span<const Bound> clock) {
    for (StrandIndex s = 0; s < strands_.size(); ++s)
        if (s != strand) require(s, clock[s]);
}

/// A strand has to run further.
void UcgProjector::take_rows(StrandIndex index) {
    Strand& strand = strands_[index];
    const std::uint32_t from = strand.rows;
    strand.rows = segment_->strands()[index].rows_below(strand.need);
    if (strand.rows == from) return;
    require_before(index, segment_->hard(segment_->strands()[index].first_row + strand.rows - 1));
    if (strand.clean == from) extend_clean(index);
    if (outcome_ != Outcome::feasible) return;
    look_at_rows(index, from);
    catch_up(index, from);
}

/// Rows have their shared clock as long as the proviso holds and the rows before have it as well.
void UcgProjector::extend_clean(StrandIndex index) {
    Strand& strand = strands_[index];
    const UcgSegment::Strand& part = segment_->strands()[index];
    const auto holds = [&](std::uint32_t row) {
        const std::span<const Bound> proviso = segment_->proviso(part.first_row + row);
        for (StrandIndex s = 0; s < strands_.size(); ++s)
            if (proviso[s] > strands_[s].need) return false;
        return true;
    };
    const std::uint32_t before = strand.clean;
    std::uint32_t high = strand.rows;
    while (strand.clean < high) {
        const std::uint32_t middle = strand.clean + (high - strand.clean) / 2;
        if (holds(middle))
            strand.clean = middle + 1;
        else
            high = middle;
    }
    if (strand.clean > before) require_before(index, row_clock(index, strand.clean - 1));
}

/// New rows: the rules were applied to shared clocks, but not to hard ones nor to the steps that reach here.
/// Hard clocks know nothing of the shared clocks of what they come after.
void UcgProjector::look_at_rows(StrandIndex index, std::uint32_t from) {
    const Strand& strand = strands_[index];
    const std::span<const Bound> ids = segment_->strands()[index].ids;
    for (StrandIndex s = 0; s < strands_.size(); ++s)
        if (const Bound value = stepped(index, ids[from], s); value > 0)
            growths_.push_back({index, ids[from], s, value});
    const std::uint32_t dirty = std::max(from, strand.clean);
    if (dirty == strand.rows) return;
    if (strand.clean > 0 && dirty == strand.clean) come_after(index, ids[dirty], row_clock(index, dirty - 1));
    for (std::uint32_t row = dirty; row < strand.rows; ++row) {
        const std::span<const Bound> own = row_clock(index, row);
        for (StrandIndex s = 0; s < strands_.size(); ++s) {
            if (s == index || own[s] == 0 || (row > dirty && row_clock(index, row - 1)[s] == own[s]))
                continue;
            growths_.push_back({index, ids[row], s, own[s]});
            come_after(index, ids[row], clock_of(s, own[s] - 1));
        }
    }
}

/// New rows that come after events at which the property has made steps take these over.
void UcgProjector::catch_up(StrandIndex index, std::uint32_t from) {
    for (StrandIndex k = 0; k < strands_.size(); ++k) {
        if (k == index) continue;
        for (StrandIndex s = 0; s < strands_.size(); ++s)
            for (std::size_t n = 0; n < steps(k, s).size(); ++n) {
                const Step step = steps(k, s)[n];
                const std::uint32_t row = first_row_after(index, from, k, step.from);
                if (row < strands_[index].rows)
                    raise(index, segment_->strands()[index].ids[row], s, step.value);
            }
    }
}

// --- clocks ----------------------------------------------------------------------------------------

std::span<const Bound> UcgProjector::row_clock(StrandIndex strand, std::uint32_t row) const {
    const RowIndex index = segment_->strands()[strand].first_row + row;
    return row < strands_[strand].clean ? segment_->shared(index) : segment_->hard(index);
}

/// What the property's steps say.
Bound UcgProjector::stepped(StrandIndex strand, Bound event, StrandIndex other) const {
    const std::vector<Step>& list = steps(strand, other);
    const auto after = std::ranges::upper_bound(list, event, {}, &Step::from);
    return after == list.begin() ? 0 : std::prev(after)->value;
}

Bound UcgProjector::clock(StrandIndex strand, Bound event, StrandIndex other) const {
    const std::uint32_t rows =
        std::min(segment_->strands()[strand].rows_below(event + 1), strands_[strand].rows);
    const Bound own = rows == 0 ? 0 : row_clock(strand, rows - 1)[other];
    return std::max(own, stepped(strand, event, other));
}

/// All of it, the event itself included.
std::span<const Bound> UcgProjector::clock_of(StrandIndex strand, Bound event) {
    clock_.resize(strands_.size());
    for (StrandIndex s = 0; s < strands_.size(); ++s) clock_[s] = clock(strand, event, s);
    clock_[strand] = event + 1;
    return clock_;
}

/// The first row, from a given one on, whose clock without steps comes after an event of another strand.
std::uint32_t UcgProjector::first_row_after(StrandIndex index, std::uint32_t from, StrandIndex other,
                                            Bound event) const {
    const Strand& strand = strands_[index];
    const auto search = [&](std::uint32_t low, std::uint32_t high) {
        while (low < high) {
            const std::uint32_t middle = low + (high - low) / 2;
            if (row_clock(index, middle)[other] > event)
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    };
    if (from < strand.clean) {
        from = search(from, strand.clean);
        if (from < strand.clean) return from;
    }
    return search(from, strand.rows);
}

/// The first event of a strand that comes after an event of another one; kNoBound if none has to.
Bound UcgProjector::first_after(StrandIndex strand, StrandIndex other, Bound event) const {
    const std::uint32_t row = first_row_after(strand, 0, other, event);
    const Bound by_row = row < strands_[strand].rows ? segment_->strands()[strand].ids[row] : kNoBound;
    const std::vector<Step>& list = steps(strand, other);
    const auto step = std::ranges::upper_bound(list, event, {}, &Step::value);
    return step == list.end() ? by_row : std::min(by_row, step->from);
}

void UcgProjector::edge(StrandIndex from_strand, Bound from, StrandIndex to_strand, Bound to) {
    if (outcome_ != Outcome::feasible || clock(to_strand, to, from_strand) > from) return;
    require(from_strand, from + 1);
    if (outcome_ != Outcome::feasible) return;
    come_after(to_strand, to, clock_of(from_strand, from));
}

/// The event, and what comes after it, comes after all that a clock says.
void UcgProjector::come_after(StrandIndex strand, Bound event, std::span<const Bound> added) {
    for (StrandIndex k = 0; k < strands_.size(); ++k) {
        const Bound first = k == strand ? event : first_after(k, strand, event);
        if (first == kNoBound) continue;
        for (StrandIndex s = 0; s < strands_.size(); ++s) raise(k, first, s, added[s]);
    }
}

void UcgProjector::raise(StrandIndex strand, Bound from, StrandIndex other, Bound value) {
    if (strand == other) {
        if (value > from) outcome_ = Outcome::refuted; // it must come before itself
        return;
    }
    if (clock(strand, from, other) >= value) return;
    std::vector<Step>& list = steps(strand, other);
    const auto first = std::ranges::lower_bound(list, from, {}, &Step::from);
    const auto larger = std::ranges::upper_bound(first, list.end(), value, {}, &Step::value);
    list.insert(list.erase(first, larger), {from, value});
    growths_.push_back({strand, from, other, value});
}

// --- the rules -------------------------------------------------------------------------------------

void UcgProjector::settle() {
    for (const Asked& asked : asked_)
        edge(strand_of(asked.from), asked.from.value, strand_of(asked.to), asked.to.value);
    while (outcome_ == Outcome::feasible) {
        if (!growths_.empty()) {
            const Growth growth = growths_.back();
            growths_.pop_back();
            order_sections(growth);
            continue;
        }
        order_unreleased();
        if (growths_.empty() && outcome_ == Outcome::feasible && !apply_semaphores()) return;
    }
}

template<typename Visit>
void UcgProjector::for_each_held(StrandIndex strand, Bound event, Visit visit) const {
    const UcgSegment::Strand& part = segment_->strands()[strand];
    const std::uint32_t rows = part.rows_below(event + 1);
    if (rows == 0) return;
    for (const std::uint32_t index : segment_->held(part.first_row + rows - 1)) {
        const LockSection& section = context_.locks[index];
        if (section.open_at(event)) visit(section);
    }
}

/// Rules 14 to 16 where a clock says more than before. Our sections that are open there come after the last
/// section of the other thread that was entered; those that begin later after the ones that are still open
/// in the other thread at the point that the clock names. The first of them stands for all after it.
void UcgProjector::order_sections(const Growth& growth) {
    const StrandIndex other = growth.other;
    const ThreadId own_thread = segment_->strands()[growth.strand].thread;
    const ThreadId other_thread = segment_->strands()[other].thread;
    for_each_held(growth.strand, growth.from, [&](const LockSection& section) {
        const LockSection* before = context_.locks.last_excluding(section, other_thread, growth.value);
        if (before == nullptr || before->acquire.value < segment_->strands()[other].base) return;
        if (!before->open_at(strands_[other].cap)) section_before(*before, other, section, growth.strand);
    });
    for_each_held(other, growth.value - 1, [&](const LockSection& section) {
        if (!section.open_at(growth.value) || section.open_at(strands_[other].cap)) return;
        const LockSection* after = context_.locks.first_excluding(section, own_thread, growth.from + 1);
        if (after != nullptr && after->acquire.value < strands_[growth.strand].need)
            section_before(section, other, *after, growth.strand);
    });
}

/// Rules 11 and 12: a section that is entered and never left comes after all it excludes.
void UcgProjector::order_unreleased() {
    for (StrandIndex own = 0; own < strands_.size(); ++own) {
        const Strand& strand = strands_[own];
        if (strand.need == segment_->strands()[own].base) continue;
        for_each_held(own, strand.need - 1, [&](const LockSection& section) {
            if (!section.open_at(strand.cap)) return;
            for (StrandIndex s = 0; s < strands_.size() && outcome_ == Outcome::feasible; ++s) {
                if (s == own) continue;
                const LockSection* other =
                    context_.locks.last_excluding(section, segment_->strands()[s].thread, strands_[s].need);
                if (other != nullptr && other->acquire.value >= segment_->strands()[s].base)
                    section_before(*other, s, section, own);
            }
        });
    }
}

void UcgProjector::section_before(const LockSection& first, StrandIndex first_strand,
                                  const LockSection& second, StrandIndex second_strand) {
    if (first.open_at(strands_[first_strand].cap))
        outcome_ = Outcome::refuted; // both are held at the end
    else
        edge(first_strand, first.release.value, second_strand, second.acquire.value);
}

// --- the value -------------------------------------------------------------------------------------

UcgProjection UcgProjector::projection() const {
    UcgProjection result;
    for (StrandIndex own = 0; own < strands_.size(); ++own) {
        const UcgSegment::Strand& part = segment_->strands()[own];
        const Bound base = barrier_->of(part.thread);
        std::vector<Bound> events(part.ids.begin(), part.ids.begin() + strands_[own].rows);
        for (const EventId extra : extra_)
            if (strand_of(extra) == own) events.push_back(extra.value);
        std::erase_if(events, [&](Bound event) { return event < base; });
        for (const Bound event : events) {
            UcgProjection::Node node{.event = EventId{event}};
            for (StrandIndex s = 0; s < strands_.size(); ++s) {
                const ThreadId thread = segment_->strands()[s].thread;
                const Bound after = clock(own, event, s);
                if (s != own && after > barrier_->of(thread)) node.after.push_back({thread, after});
            }
            result.nodes.push_back(std::move(node));
        }
    }
    result.sort();
    return result;
}

} // namespace heddle
