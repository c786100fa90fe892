#include "analysis/atomicity_candidates.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace heddle {

AtomicityCandidates::PairSite& AtomicityCandidates::pair_site(const Context& context,
                                                              const TransactionPair& pair) {
    const PlaceId first = context.cells[pair.first_cell].place;
    const PlaceId second = context.cells[pair.second_cell].place;
    const auto known = std::ranges::find_if(pair_sites_, [&](const PairSite& one) {
        return one.first == first && one.second == second && one.in_source == pair.in_source;
    });
    if (known != pair_sites_.end()) return *known;
    return pair_sites_.emplace_back(
        PairSite{.first = first, .second = second, .in_source = pair.in_source, .rows = {}, .entry_of = {}});
}

std::uint32_t& AtomicityCandidates::entry_of(PairSite& pairs, std::uint32_t site) {
    if (site >= pairs.entry_of.size()) pairs.entry_of.resize(site + std::size_t{1}, kNoTarget);
    return pairs.entry_of[site];
}

AtomicityCandidates::PairRow& AtomicityCandidates::pair_row(const Context& context, const AccessRows& rows,
                                                            PairSite& site, const TransactionPair& pair) {
    PairRow row{.first = context.cells[pair.first_cell].shape,
                .second = context.cells[pair.second_cell].shape,
                .profile = pair.profile,
                .pairs = {},
                .until = {}};
    const auto known = std::ranges::lower_bound(site.rows, row.key(), {}, &PairRow::key);
    if (known != site.rows.end() && known->key() == row.key()) return *known;
    row.guarded = rows.guarded(context.accesses.profiles(), pair.profile);
    return *site.rows.insert(known, std::move(row));
}

void AtomicityCandidates::add_to_row(const Context& context, PairRow& row) {
    const auto number = static_cast<std::uint32_t>(pairs_.size() - 1);
    const auto first = [&](std::uint32_t pair) { return context.cells[pairs_[pair].first_cell].index; };
    const auto at = std::ranges::upper_bound(row.pairs, first(number), {}, first) - row.pairs.begin();
    row.pairs.insert(row.pairs.begin() + at, number);
    row.until.resize(row.pairs.size());
    // Almost always the last one.
    for (auto i = static_cast<std::size_t>(at); i < row.pairs.size(); ++i) {
        const std::uint32_t second = context.cells[pairs_[row.pairs[i]].second_cell].index;
        row.until[i] = i == 0 ? second : std::max(second, row.until[i - 1]);
    }
}

/// Another guard was chosen: other pairs hold it.
void AtomicityCandidates::follow_guard(const Context& context, const AccessRows& rows) {
    if (guard_number_ == rows.guard_number()) return;
    guard_number_ = rows.guard_number();
    for (PairSite& site : pair_sites_) {
        for (PairRow& row : site.rows) row.guarded = rows.guarded(context.accesses.profiles(), row.profile);
    }
}

void AtomicityCandidates::add(const Context& context, const AccessRows& rows, std::uint32_t row) {
    follow_guard(context, rows);
    const AccessRow& remote = rows.row(row);
    const RowCells cells = rows.cells(remote);
    const CellId newest = cells[cells.size() - 1];
    for (PairSite& site : pair_sites_) {
        if (!remote.writes && !site.both_write) continue;
        std::uint32_t& triple = entry_of(site, remote.site);
        if (saturated(context, triple)) continue;
        bool go_on = true;
        for (const bool guarded : {false, true}) {
            if (guarded && remote.guarded && (order_allows(triple) || entries_.size() >= kMaxCandidates))
                break;
            for (std::size_t i = 0; go_on && i < site.rows.size(); ++i) {
                if (site.rows[i].guarded == guarded)
                    go_on = compare(context, triple, site.rows[i], remote, newest);
            }
        }
    }
}

void AtomicityCandidates::add(const Context& context, const AccessRows& rows, const TransactionPair& pair,
                              std::uint32_t origin) {
    follow_guard(context, rows);
    pairs_.push_back(pair);
    origins_.push_back(origin);
    PairSite& pairs = pair_site(context, pair);
    PairRow& own = pair_row(context, rows, pairs, pair);
    add_to_row(context, own);
    const bool both_write = own.first.writes() && own.second.writes();
    pairs.both_write = pairs.both_write || both_write;
    for (std::uint32_t site = 0; site < rows.sites().size(); ++site) {
        const AccessSite& remote = rows.sites()[site];
        if (!remote.writes && !both_write) continue;
        std::uint32_t& triple = entry_of(pairs, site);
        if (saturated(context, triple)) continue;
        const bool skip_guarded = own.guarded && (order_allows(triple) || entries_.size() >= kMaxCandidates);
        for_each_to_compare(remote.guarded, remote.unguarded, skip_guarded, [&](std::uint32_t row) {
            return compare(context, rows, triple, own.guarded, rows.row(row));
        });
    }
}

namespace {
/// Whether a remote access between two of a transaction may be one that cannot be put into any serial order.
bool conflict(AccessShape first, const AccessRow& remote, AccessShape second) {
    return first.thread() != remote.shape.thread() &&
           atomicity_pattern(first.kind(), remote.shape.kind(), second.kind()) &&
           (remote.bytes & byte_mask(first.bytes())) != 0 && (remote.bytes & byte_mask(second.bytes())) != 0;
}
} // namespace

AtomicityCandidates::Entry* AtomicityCandidates::entry_to_judge(std::uint32_t& known, const Way& any) {
    if (budget_ == 0) {
        if (known != kNoTarget) entries_[known].gave_up = true;
        return nullptr;
    }
    --budget_;
    if (known == kNoTarget) {
        known = static_cast<std::uint32_t>(entries_.size());
        entries_.push_back({.ways = {}, .any = any});
    }
    return &entries_[known];
}

void AtomicityCandidates::judge_future(const Context& context, Entry& entry, const Way& way) {
    if (context.accesses.futures().completable(context.accesses.profiles().histories(),
                                               pairs_[way.pair].future, context.cells[way.remote].future)) {
        if (entry.ways.empty() && ++open_ == kMaxCandidates) budget_ = 0;
        entry.ways.push_back(way);
    } else {
        entry.refuted = std::max(entry.refuted, Filter::acquisition_history);
    }
}

bool AtomicityCandidates::compare(const Context& context, const AccessRows& rows, std::uint32_t& known,
                                  bool pair_guarded, const AccessRow& remote) {
    const auto number = static_cast<std::uint32_t>(pairs_.size() - 1);
    const TransactionPair& pair = pairs_[number];
    const AccessCell& first = context.cells[pair.first_cell];
    const AccessCell& second = context.cells[pair.second_cell];
    if (!conflict(first.shape, remote, second.shape)) return true;
    const RowCells remotes = rows.cells(remote);
    Entry* entry = entry_to_judge(known, {number, remotes[0]});
    if (entry == nullptr) return false;
    // Not forced before the first access, nor after the second: one stretch of the row.
    const std::size_t from =
        first_beyond(context.cells, remotes, 0, context.order.needed(first.segment, remote.shape.thread()));
    const auto between = [&](std::size_t k) {
        return k < remotes.size() &&
               context.order.needed(context.cells[remotes[k]].segment, first.shape.thread()) <= second.index;
    };
    const LockVerdict locks = context.accesses.profiles().verdict(pair.profile, remote.profile);
    // Others that the guard excludes would tell nothing new.
    if (!entry->judge(locks, between(from))) return !(pair_guarded && remote.guarded && entry->order_allows);
    for (std::size_t k = from; between(k) && !entry->saturated(context.limits); ++k)
        judge_future(context, *entry, {number, remotes[k]});
    return !entry->saturated(context.limits);
}

bool AtomicityCandidates::compare(const Context& context, std::uint32_t& known, const PairRow& pairs,
                                  const AccessRow& remote, CellId newest) {
    if (!conflict(pairs.first, remote, pairs.second)) return true;
    Entry* entry = entry_to_judge(known, {pairs.pairs.front(), newest});
    if (entry == nullptr) return false;
    const AccessCell& cell = context.cells[newest];
    const auto forced_before = [&](std::uint32_t pair) {
        return context.order.needed(context.cells[pairs_[pair].first_cell].segment, cell.shape.thread()) >
               cell.index;
    };
    // It is forced after pairs that lie further back, and before those that come later.
    const std::uint32_t needed = context.order.needed(cell.segment, pairs.first.thread());
    const auto end = static_cast<std::size_t>(
        std::ranges::partition_point(pairs.pairs, std::not_fn(forced_before)) - pairs.pairs.begin());
    std::size_t at =
        static_cast<std::size_t>(std::ranges::lower_bound(pairs.until, needed) - pairs.until.begin());
    const LockVerdict locks = context.accesses.profiles().verdict(pairs.profile, remote.profile);
    if (!entry->judge(locks, at < end)) return !(pairs.guarded && remote.guarded && entry->order_allows);
    for (; at < end && !entry->saturated(context.limits); ++at) {
        const std::uint32_t pair = pairs.pairs[at];
        if (context.cells[pairs_[pair].second_cell].index >= needed)
            judge_future(context, *entry, {pair, newest});
    }
    return !entry->saturated(context.limits);
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
