#include "analysis/ucg_segment.h"

#include <algorithm>
#include <functional>

namespace heddle {

namespace {

[[nodiscard]] std::span<const Bound> part_of(const std::vector<Bound>& skeleton, Bound from, Bound to) {
    const auto first = std::ranges::lower_bound(skeleton, from);
    return {first, std::ranges::lower_bound(first, skeleton.end(), to)};
}

/// Whether anything was missing.
bool join(std::span<Bound> clock, std::span<const Bound> other) {
    bool grown = false;
    for (std::size_t s = 0; s < clock.size(); ++s) {
        grown = grown || other[s] > clock[s];
        clock[s] = std::max(clock[s], other[s]);
    }
    return grown;
}

} // namespace

std::uint32_t UcgSegment::Strand::rows_below(Bound bound) const {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(ids, bound) - ids.begin());
}

UcgSegment::Size UcgSegment::size_of(const UcgContext& context, std::span<const Bound> base, Bound end) {
    Size size;
    for (std::size_t thread = 0; thread < base.size(); ++thread) {
        if (base[thread] >= end) continue;
        ++size.strands;
        size.nodes += part_of(context.skeleton[thread], base[thread], end).size();
    }
    return size;
}

UcgSegment::UcgSegment(const UcgContext& context, std::vector<Bound> base, Bound end)
    : context_(context), base_(std::move(base)), end_(end) {
    lay_out();
    find_held();
    find_hard();
    find_shared();
    find_provisos();
    joint_clocks_.clear();
}

void UcgSegment::lay_out() {
    strand_index_.assign(base_.size(), kNone);
    for (std::uint32_t thread = 0; thread < base_.size(); ++thread) {
        if (base_[thread] >= end_) continue;
        const auto strand = static_cast<StrandIndex>(strands_.size());
        strand_index_[thread] = strand;
        strands_.push_back({.thread = ThreadId{thread},
                            .base = base_[thread],
                            .first_row = static_cast<RowIndex>(order_.size()),
                            .ids = part_of(context_.skeleton[thread], base_[thread], end_)});
        for (const Bound id : strands_.back().ids)
            order_.push_back({id, strand, static_cast<RowIndex>(order_.size())});
    }
    std::ranges::sort(order_, {}, &Place::id);
    place_of_.resize(order_.size());
    for (std::uint32_t at = 0; at < order_.size(); ++at) place_of_[order_[at].row] = at;
}

void UcgSegment::find_held() {
    held_start_.assign(order_.size() + 1, 0);
    for (const Strand& strand : strands_) {
        std::vector<std::uint32_t> open;
        for (std::uint32_t k = 0; k < strand.ids.size(); ++k) {
            const EventKind kind = context_.trace[EventId{strand.ids[k]}].kind();
            if (kind == EventKind::acquire || kind == EventKind::acquire_shared)
                open.push_back(context_.locks.opened_by(EventId{strand.ids[k]}));
            held_.insert(held_.end(), open.begin(), open.end());
            held_start_[strand.first_row + k + 1] = held_.size();
            std::erase_if(open,
                          [&](std::uint32_t s) { return context_.locks[s].release.value == strand.ids[k]; });
        }
    }
}

UcgSegment::RowIndex UcgSegment::row_of(StrandIndex strand, Bound id) const {
    return strands_[strand].first_row + strands_[strand].rows_below(id);
}

// --- seed edges ------------------------------------------------------------------------------------

void UcgSegment::join_sources(std::span<Bound> clock, SeedNode target) {
    for (const SeedEdge& seed : context_.seeds.into(target)) {
        if (SeedEdges::is_joint(seed.from)) {
            join(clock, joint_clock(seed.from));
            continue;
        }
        const ThreadId thread = context_.trace[EventId{seed.from}].thread();
        if (seed.from >= base_[thread.value]) join(clock, hard(row_of(strand_of(thread), seed.from)));
    }
}

/// All sources of a joint come before its first target, so they are known when it is asked for. Joints of one
/// object wait for each other in long chains: the oldest that is not known yet comes first.
std::vector<Bound>& UcgSegment::joint_clock(SeedNode joint) {
    std::vector<SeedNode> open;
    if (!joint_clocks_.contains(joint)) open.push_back(joint);
    while (!open.empty()) {
        const SeedNode last = open.back();
        const std::size_t before = open.size();
        for (const SeedEdge& seed : context_.seeds.into(last))
            if (SeedEdges::is_joint(seed.from) && !joint_clocks_.contains(seed.from))
                open.push_back(seed.from);
        if (open.size() > before) continue;
        open.pop_back();
        std::vector<Bound> clock(strands_.size());
        join_sources(clock, last);
        joint_clocks_.try_emplace(last, std::move(clock));
    }
    return joint_clocks_.at(joint);
}

void UcgSegment::find_hard() {
    hard_.resize(order_.size() * strands_.size());
    for (const Place& place : order_) {
        const std::span<Bound> own = clock(hard_, place.row);
        if (place.row > strands_[place.strand].first_row) join(own, hard(place.row - 1));
        join_sources(own, place.id);
        own[place.strand] = place.id + 1;
    }
}

// --- induced edges ---------------------------------------------------------------------------------

void UcgSegment::find_shared() {
    shared_ = hard_;
    queued_.assign(order_.size(), true);
    changed_.resize(order_.size());
    for (std::uint32_t at = 0; at < changed_.size(); ++at) changed_[at] = at; // ascending is a heap
    while (!changed_.empty()) {
        std::ranges::pop_heap(changed_, std::greater<>());
        const std::uint32_t at = changed_.back();
        changed_.pop_back();
        queued_[at] = false;
        order_sections(order_[at]);
    }
}

/// Rules 14 to 16, as in UcgWindow. What the event before has the same clock for was looked at there.
void UcgSegment::order_sections(const Place& place) {
    const bool is_first = place.row == strands_[place.strand].first_row;
    for (StrandIndex s = 0; s < strands_.size(); ++s) {
        const Bound entered = shared(place.row)[s];
        if (s == place.strand || entered == 0) continue;
        const bool as_before = !is_first && shared(place.row - 1)[s] == entered;
        for (const std::uint32_t index : held(place.row)) {
            const LockSection& section = context_.locks[index];
            if (as_before && section.acquire.value != place.id) continue;
            const LockSection* other = context_.locks.last_excluding(section, strands_[s].thread, entered);
            if (other == nullptr || other->acquire.value < strands_[s].base) continue;
            const RowIndex acquire = row_of(place.strand, section.acquire.value);
            add_edge(other->release, s, order_[place_of_[acquire]], place.row);
        }
    }
}

void UcgSegment::add_edge(EventId from, StrandIndex from_strand, const Place& acquire, RowIndex because) {
    if (shared(acquire.row)[from_strand] > from.value) return;
    if (because != acquire.row) induced_.push_back({acquire.row, because});
    const std::span<const Bound> before = shared(row_of(from_strand, from.value));
    const std::vector<Bound> added(before.begin(), before.end());
    for (const Strand& strand : strands_) {
        const RowIndex first = strand.first_row;
        const auto rows = static_cast<RowIndex>(strand.ids.size());
        std::uint32_t at = 0; // the first of the strand that comes after the acquire
        for (std::uint32_t span = rows; span > 0;) {
            const std::uint32_t half = span / 2;
            if (shared(first + at + half)[acquire.strand] <= acquire.id) {
                at += half + 1;
                span -= half + 1;
            } else {
                span = half;
            }
        }
        for (; at < rows && join(clock(shared_, first + at), added); ++at) {
            const std::uint32_t place = place_of_[first + at];
            if (queued_[place]) continue;
            queued_[place] = true;
            changed_.push_back(place);
            std::ranges::push_heap(changed_, std::greater<>());
        }
    }
}

// --- provisos --------------------------------------------------------------------------------------

void UcgSegment::find_provisos() {
    proviso_.resize(shared_.size());
    if (induced_.empty()) return;
    std::ranges::sort(induced_, {}, &Induced::acquire);
    for (bool grown = true; grown;) {
        grown = false;
        for (const Place& place : order_)
            if (add_proviso(place, induced_)) grown = true;
    }
}

/// A clock holds when what its event comes after holds, and when the events run on which its own edges rest.
bool UcgSegment::add_proviso(const Place& place, std::span<const Induced> induced) {
    const std::span<Bound> own = clock(proviso_, place.row);
    const bool is_first = place.row == strands_[place.strand].first_row;
    bool grown = !is_first && join(own, proviso(place.row - 1));
    for (StrandIndex s = 0; s < strands_.size(); ++s) {
        const Bound after = shared(place.row)[s];
        if (s == place.strand || after == 0) continue;
        if (!is_first && shared(place.row - 1)[s] == after) continue;
        const std::uint32_t rows = strands_[s].rows_below(after);
        if (rows > 0 && join(own, proviso(strands_[s].first_row + rows - 1))) grown = true;
    }
    auto edge = std::ranges::lower_bound(induced, place.row, {}, &Induced::acquire);
    for (; edge != induced.end() && edge->acquire == place.row; ++edge) {
        const Bound because = order_[place_of_[edge->because]].id;
        grown = join(own, proviso(edge->because)) || own[place.strand] <= because || grown;
        own[place.strand] = std::max(own[place.strand], because + 1);
    }
    return grown;
}

} // namespace heddle
