#include "analysis/access_rows.h"

#include "traces/hash.h"

#include <algorithm>
#include <map>

namespace heddle {

std::size_t first_beyond(const CellLookup& cells, const AccessRow& row, std::size_t from,
                         std::uint32_t events) {
    std::size_t to = row.size();
    while (from < to) {
        const std::size_t middle = (from + to) / 2;
        if (cells[row[middle]].index < events) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

std::uint32_t AccessRows::add(const CellLookup& cells, CellId id, const LockProfiles& profiles) {
    const AccessCell& cell = cells[id];
    const std::uint32_t site = site_of(cell.place);
    const std::uint64_t hash = hash_mix(site, std::uint64_t{cell.shape.bits()} << 32U | cell.profile.value);
    std::uint32_t number = index_.find(hash, [&](std::uint32_t row) {
        return rows_[row].site == site && rows_[row].shape == cell.shape &&
               rows_[row].profile == cell.profile;
    });
    if (number != HashIndex::kAbsent) {
        rows_[number].further.push_back(id);
    } else {
        number = static_cast<std::uint32_t>(rows_.size());
        index_.insert(hash, number);
        rows_.push_back({.site = site,
                         .shape = cell.shape,
                         .profile = cell.profile,
                         .bytes = byte_mask(cell.shape.bytes()),
                         .writes = cell.shape.writes(),
                         .atomic = cell.shape.atomic(),
                         .guarded = guarded(profiles, cell.profile),
                         .first = id});
        const AccessRow& row = rows_.back();
        (row.guarded ? sites_[site].guarded : sites_[site].unguarded).push_back(number);
        sites_[site].writes = sites_[site].writes || row.writes;
        if (row.shape.thread() != rows_.front().shape.thread()) shared_ = true;
    }
    if (++cells_ == choose_at_) choose_guard(profiles);
    return number;
}

std::uint32_t AccessRows::site_of(PlaceId place) {
    const auto known = std::ranges::find(sites_, place, &AccessSite::place);
    if (known != sites_.end()) return static_cast<std::uint32_t>(known - sites_.begin());
    sites_.push_back({.place = place, .guarded = {}, .unguarded = {}});
    return static_cast<std::uint32_t>(sites_.size() - 1);
}

bool AccessRows::guarded(const LockProfiles& profiles, ProfileId profile) const {
    if (!guard_.valid()) return false;
    return std::ranges::any_of(profiles.lockset(profile), [&](const LockUse& use) {
        return use.lock == guard_ && use.mode == LockMode::exclusive;
    });
}

void AccessRows::choose_guard(const LockProfiles& profiles) {
    choose_at_ *= 32;
    std::map<LockId, std::size_t> held;
    for (const AccessRow& row : rows_) {
        for (const LockUse& use : profiles.lockset(row.profile)) {
            if (use.mode == LockMode::exclusive) held[use.lock] += row.size();
        }
    }
    const auto most = std::ranges::max_element(held, {}, [](const auto& one) { return one.second; });
    if (most == held.end() || most->first == guard_) return;
    guard_ = most->first;
    ++guard_number_;
    for (AccessSite& site : sites_) {
        site.guarded.clear();
        site.unguarded.clear();
    }
    for (std::uint32_t number = 0; number < rows_.size(); ++number) {
        AccessRow& row = rows_[number];
        row.guarded = guarded(profiles, row.profile);
        (row.guarded ? sites_[row.site].guarded : sites_[row.site].unguarded).push_back(number);
    }
}

} // namespace heddle
