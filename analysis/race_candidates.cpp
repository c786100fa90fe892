#include "analysis/race_candidates.h"

#include <algorithm>
#include <utility>

namespace heddle {

namespace {

Race ordered(EventId a, EventId b) {
    return a < b ? Race{a, b} : Race{b, a};
}

/// Where a pair of numbers lies in a list of all pairs, of which it lets the larger ones come later.
std::size_t triangular(std::size_t a, std::size_t b) {
    return std::max(a, b) * (std::max(a, b) + 1) / 2 + std::min(a, b);
}

} // namespace

void RaceCandidates::add(const Context& context, const AccessRows& rows, std::uint32_t row, CellId cell) {
    const AccessRow& own = rows.row(row);
    const std::size_t sites = rows.sites().size();
    entry_of_.resize(sites * (sites + 1) / 2, kNoTarget);
    for (std::size_t number = 0; number < sites; ++number) {
        const AccessSite& site = rows.sites()[number];
        if (!own.writes && !site.writes) continue;
        std::uint32_t& known = entry_of_[triangular(own.site, number)];
        const auto saturated = [&] {
            return known != kNoTarget && entries_[known].saturated(context.limits);
        };
        const auto order_allows = [&] { return known != kNoTarget && entries_[known].order_allows; };
        if (saturated()) continue;
        if (budget_ == 0) {
            if (known != kNoTarget) entries_[known].gave_up = true;
            continue;
        }
        // A pair that the guard excludes can only tell that nothing else does.
        const bool skip_guarded = own.guarded && (order_allows() || entries_.size() >= kMaxCandidates);
        for_each_to_compare(site.guarded, site.unguarded, skip_guarded, [&](std::uint32_t number_of_other) {
            const AccessRow& other = rows.row(number_of_other);
            if (own.conflicts_with(other)) {
                budget_ -= budget_ == 0 ? 0 : 1;
                if (known == kNoTarget) {
                    known = static_cast<std::uint32_t>(entries_.size());
                    entries_.push_back({.ways = {}, .any = {cell, other.first}});
                }
                compare(context, rows, entries_[known], own, cell, other);
            }
            const bool told = own.guarded && other.guarded && order_allows();
            return !saturated() && !told;
        });
    }
}

void RaceCandidates::compare(const Context& context, const AccessRows& rows, Entry& entry,
                             const AccessRow& row, CellId cell, const AccessRow& other) {
    const LockVerdict locks = context.profiles.verdict(row.profile, other.profile);
    // What a candidate starts with; it can only tell that nothing else excludes it.
    if (locks == LockVerdict::excluded_by_lockset && entry.order_allows) return;
    // What the hard order leaves of the other row is one stretch of it: neither forced before the cell nor
    // after.
    const AccessCell& own = context.cells[cell];
    const RowCells others = rows.cells(other);
    std::size_t at =
        first_beyond(context.cells, others, 0, context.order.needed(own.segment, other.shape.thread()));
    const auto concurrent = [&](std::size_t k) {
        return k < others.size() &&
               context.order.needed(context.cells[others[k]].segment, row.shape.thread()) <= own.index;
    };
    if (!entry.judge(locks, concurrent(at))) return;
    if (entry.ways.empty() && ++open_ == kMaxCandidates) budget_ = 0;
    for (; concurrent(at) && !entry.saturated(context.limits); ++at) entry.ways.push_back({cell, others[at]});
}

Race RaceCandidates::race(const Context& context, const Way& way) {
    return ordered(context.cells[way.first].first, context.cells[way.second].first);
}

std::vector<Candidate> RaceCandidates::list(const Context& context, VarId variable) const {
    std::vector<Candidate> found;
    found.reserve(entries_.size());
    for (std::uint32_t number = 0; number < entries_.size(); ++number) {
        const Entry& entry = entries_[number];
        const auto [low, high] =
            std::minmax({context.cells[entry.any.first].place, context.cells[entry.any.second].place});
        Candidate& candidate = found.emplace_back();
        candidate.key = {FindingKind::race, {variable.value, low.value, high.value}};
        candidate.representative = race(context, entry.any);
        candidate.refuted = {entry.refuted, {}};
        candidate.ways = !entry.ways.empty();
        candidate.entry = number;
        candidate.count_exact = !entry.gave_up && !entry.saturated(context.limits);
        candidate.more = !candidate.count_exact;
        for (const Way& way : entry.ways) {
            const AccessCell& one = context.cells[way.first];
            const AccessCell& other = context.cells[way.second];
            candidate.count += std::uint64_t{one.count} * other.count;
            // What the causality graph says of one access need not hold for others behind other locks.
            candidate.more = candidate.more || one.scattered || other.scattered;
        }
    }
    std::ranges::sort(found, {}, &Candidate::key);
    return found;
}

std::vector<Property> RaceCandidates::samples(const Context& context, std::uint32_t entry) const {
    std::vector<Property> result;
    for (std::size_t i = 0; i < entries_[entry].tried(context.limits); ++i)
        result.emplace_back(race(context, entries_[entry].ways[i]));
    return result;
}

} // namespace heddle
