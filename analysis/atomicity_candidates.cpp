#include "analysis/atomicity_candidates.h"

#include <algorithm>

namespace heddle {

namespace {

/// Where all three accesses are such, each takes what it finds and adds to that: reference counts, tickets.
bool is_update(const AccessShape& shape) {
    return shape.kind() == EventKind::atomic_rmw;
}

} // namespace

AtomicityCandidates::PairSite& AtomicityCandidates::pair_site(const Context& context,
                                                              const TransactionPair& pair) {
    const PlaceId first = context.cells[pair.first_cell].place;
    const PlaceId second = context.cells[pair.second_cell].place;
    const auto known = std::ranges::find_if(pair_sites_, [&](const PairSite& one) {
        return one.first == first && one.second == second && one.in_source == pair.in_source;
    });
    if (known != pair_sites_.end()) return *known;
    return pair_sites_.emplace_back(PairSite{.first = first,
                                             .second = second,
                                             .in_source = pair.in_source,
                                             .guarded = {},
                                             .unguarded = {},
                                             .entry_of = {}});
}

std::uint32_t& AtomicityCandidates::entry_of(PairSite& pairs, std::uint32_t site) {
    if (site >= pairs.entry_of.size()) pairs.entry_of.resize(site + std::size_t{1}, kNoTarget);
    return pairs.entry_of[site];
}

/// Another guard was chosen: other pairs hold it.
void AtomicityCandidates::follow_guard(const Context& context, const AccessRows& rows) {
    if (guard_number_ == rows.guard_number()) return;
    guard_number_ = rows.guard_number();
    for (PairSite& site : pair_sites_) {
        site.guarded.clear();
        site.unguarded.clear();
    }
    for (std::uint32_t number = 0; number < pairs_.size(); ++number) {
        PairSite& site = pair_site(context, pairs_[number]);
        const bool guarded = rows.guarded(context.accesses.profiles(), pairs_[number].profile);
        (guarded ? site.guarded : site.unguarded).push_back(number);
    }
}

void AtomicityCandidates::add(const Context& context, const AccessRows& rows, std::uint32_t row) {
    follow_guard(context, rows);
    const AccessRow& remote = rows.row(row);
    const std::size_t newest = rows.cells(remote).size() - 1;
    for (PairSite& pairs : pair_sites_) {
        if (!remote.writes && !pairs.both_write) continue;
        std::uint32_t& triple = entry_of(pairs, remote.site);
        if (saturated(context, triple)) continue;
        const bool skip_guarded =
            remote.guarded && (order_allows(triple) || entries_.size() >= kMaxCandidates);
        for_each_to_compare(pairs.guarded, pairs.unguarded, skip_guarded, [&](std::uint32_t pair) {
            const bool guarded = rows.guarded(context.accesses.profiles(), pairs_[pair].profile);
            return compare(context, rows, triple, pair, guarded, remote, newest);
        });
    }
}

void AtomicityCandidates::add(const Context& context, const AccessRows& rows, const TransactionPair& pair,
                              std::uint32_t origin) {
    follow_guard(context, rows);
    const auto number = static_cast<std::uint32_t>(pairs_.size());
    pairs_.push_back(pair);
    origins_.push_back(origin);
    PairSite& pairs = pair_site(context, pair);
    const bool guarded = rows.guarded(context.accesses.profiles(), pair.profile);
    (guarded ? pairs.guarded : pairs.unguarded).push_back(number);
    const bool both_write =
        context.cells[pair.first_cell].shape.writes() && context.cells[pair.second_cell].shape.writes();
    pairs.both_write = pairs.both_write || both_write;
    for (std::uint32_t site = 0; site < rows.sites().size(); ++site) {
        const AccessSite& remote = rows.sites()[site];
        if (!remote.writes && !both_write) continue;
        std::uint32_t& triple = entry_of(pairs, site);
        if (saturated(context, triple)) continue;
        const bool skip_guarded = guarded && (order_allows(triple) || entries_.size() >= kMaxCandidates);
        for_each_to_compare(remote.guarded, remote.unguarded, skip_guarded, [&](std::uint32_t row) {
            return compare(context, rows, triple, number, guarded, rows.row(row), 0);
        });
    }
}

bool AtomicityCandidates::compare(const Context& context, const AccessRows& rows, std::uint32_t& known,
                                  std::uint32_t number, bool pair_guarded, const AccessRow& remote,
                                  std::size_t from) {
    const TransactionPair& pair = pairs_[number];
    const AccessCell& first = context.cells[pair.first_cell];
    const AccessCell& second = context.cells[pair.second_cell];
    const ThreadId own = first.shape.thread();
    const auto pattern = atomicity_pattern(first.shape.writes(), remote.writes, second.shape.writes());
    if (is_update(first.shape) && is_update(remote.shape) && is_update(second.shape)) return true;
    if (own == remote.shape.thread() || !pattern || (remote.bytes & byte_mask(first.shape.bytes())) == 0 ||
        (remote.bytes & byte_mask(second.shape.bytes())) == 0) {
        return true;
    }
    if (budget_ == 0) {
        if (known != kNoTarget) entries_[known].gave_up = true;
        return false;
    }
    --budget_;
    const RowCells remotes = rows.cells(remote);
    if (known == kNoTarget) {
        known = static_cast<std::uint32_t>(entries_.size());
        entries_.push_back({.ways = {}, .any = {number, remotes[from]}});
    }
    Entry& entry = entries_[known];
    // Not forced before the first access, nor after the second: one stretch of the row.
    from = first_beyond(context.cells, remotes, from,
                        context.order.needed(first.segment, remote.shape.thread()));
    const auto between = [&](std::size_t k) {
        return k < remotes.size() &&
               context.order.needed(context.cells[remotes[k]].segment, own) <= second.index;
    };
    LockProfiles& profiles = context.accesses.profiles();
    const LockVerdict locks = profiles.verdict(pair.profile, remote.profile);
    // Others that the guard excludes would tell nothing new.
    if (!entry.judge(locks, between(from))) return !(pair_guarded && remote.guarded && entry.order_allows);
    for (std::size_t k = from; between(k) && !entry.saturated(context.limits); ++k) {
        const FutureId future = context.cells[remotes[k]].future;
        if (context.accesses.futures().completable(profiles.histories(), pair.future, future)) {
            if (entry.ways.empty() && ++open_ == kMaxCandidates) budget_ = 0;
            entry.ways.push_back({number, remotes[k]});
        } else {
            entry.refuted = std::max(entry.refuted, Filter::acquisition_history);
        }
    }
    return !entry.saturated(context.limits);
}

bool AtomicityCandidates::repeated(const Context& context, std::uint32_t pair) const {
    const std::uint32_t origin = origins_[pair];
    const bool open = origin >= CellLookup::kSecond;
    const PhaseOne::Sets& sets = *context.accesses.sets()[open ? 1 : 0];
    const std::uint32_t number = open ? origin - CellLookup::kSecond : origin;
    return inferred_ ? sets.inferred.all()[number].repeated : sets.pairs.all()[number].repeated;
}

AtomicityViolation AtomicityCandidates::violation(const Context& context, const Way& way) const {
    const TransactionPair& pair = pairs_[way.pair];
    const AccessCell& remote = context.cells[way.remote];
    const auto pattern =
        atomicity_pattern(context.cells[pair.first_cell].shape.writes(), remote.shape.writes(),
                          context.cells[pair.second_cell].shape.writes());
    return {pair.first, remote.first, pair.second, *pattern};
}

std::vector<Candidate> AtomicityCandidates::list(const Context& context, VarId variable) const {
    std::vector<Candidate> found;
    found.reserve(entries_.size());
    for (std::uint32_t number = 0; number < entries_.size(); ++number) {
        const Entry& entry = entries_[number];
        const TransactionPair& pair = pairs_[entry.any.pair];
        Candidate& candidate = found.emplace_back();
        candidate.key = {FindingKind::atomicity,
                         {variable.value, context.cells[pair.first_cell].place.value,
                          context.cells[pair.second_cell].place.value,
                          context.cells[entry.any.remote].place.value}};
        const Intent intent = inferred_        ? Intent::inferred
                              : pair.in_source ? Intent::marked
                                               : Intent::recorded;
        if (intent != Intent::recorded) candidate.key.parts.push_back(static_cast<std::uint32_t>(intent));
        candidate.representative = violation(context, entry.any);
        candidate.refuted = {entry.refuted, {}};
        // A pair stands for all transactions like it: there may be more triples of events than these.
        candidate.count_exact = false;
        candidate.ways = !entry.ways.empty();
        candidate.entry = number;
        candidate.more = entry.gave_up || entry.saturated(context.limits);
        for (const Way& way : entry.ways) {
            const AccessCell& cell = context.cells[way.remote];
            candidate.count += cell.count;
            candidate.more = candidate.more || cell.scattered || repeated(context, way.pair);
        }
    }
    std::ranges::sort(found, {}, &Candidate::key);
    return found;
}

std::vector<Property> AtomicityCandidates::samples(const Context& context, std::uint32_t entry) const {
    std::vector<Property> result;
    for (std::size_t i = 0; i < entries_[entry].tried(context.limits); ++i)
        result.emplace_back(violation(context, entries_[entry].ways[i]));
    return result;
}

} // namespace heddle
