#include "analysis/access_rows.h"

#include "traces/hash.h"

#include <algorithm>
#include <bit>
#include <map>

namespace heddle {

namespace {

constexpr std::size_t kFirstSlots = 16; ///< a power of two
/// Rows to make room for at once: few variables have more, and those that do have several cells in a row.
constexpr std::size_t kMostExpected = 512;

/// Whether a table with so many slots has room for so many rows.
bool fits(std::size_t rows, std::size_t slots) {
    return 4 * rows <= 3 * slots;
}

std::uint64_t hash_of_row(const AccessRow& row) {
    return hash_mix(row.site, std::uint64_t{row.shape.bits()} << 32U | row.profile.value);
}

bool alike(const AccessRow& a, const AccessRow& b) {
    return a.site == b.site && a.shape == b.shape && a.profile == b.profile;
}

} // namespace

void AccessRows::expect(std::size_t cells) {
    if (!rows_.empty()) return; // grows as it goes
    const std::size_t rows = std::min(cells, kMostExpected);
    rows_.reserve(rows);
    make_slots(std::max(kFirstSlots, std::bit_ceil(rows + rows / 3 + 1)));
}

std::uint32_t AccessRows::add(const CellLookup& cells, CellId id, const LockProfiles& profiles) {
    const AccessCell& cell = cells[id];
    AccessRow row{.site = site_of(cell.place), .shape = cell.shape, .profile = cell.profile, .first = id};
    if (!fits(rows_.size() + 1, slots_.size())) make_slots(std::max(kFirstSlots, 2 * slots_.size()));
    std::uint32_t& slot = slot_of(row);
    if (slot == kNoTarget) {
        row.bytes = byte_mask(cell.shape.bytes());
        row.writes = cell.shape.writes();
        row.atomic = cell.shape.atomic();
        row.guarded = guarded(profiles, cell.profile);
        slot = add_row(row);
    } else {
        AccessRow& known = rows_[slot];
        if (known.further == kNoTarget) {
            known.further = static_cast<std::uint32_t>(further_.size());
            further_.emplace_back();
        }
        further_[known.further].push_back(id);
    }
    const std::uint32_t number = slot;
    if (++cells_ == choose_at_) choose_guard(profiles);
    return number;
}

std::uint32_t AccessRows::add_row(const AccessRow& row) {
    const auto number = static_cast<std::uint32_t>(rows_.size());
    rows_.push_back(row);
    AccessSite& site = sites_[row.site];
    (row.guarded ? site.guarded : site.unguarded).push_back(number);
    site.writes = site.writes || row.writes;
    if (row.shape.thread() != rows_.front().shape.thread()) shared_ = true;
    return number;
}

std::uint32_t& AccessRows::slot_of(const AccessRow& like) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash_of_row(like) & mask;
    while (slots_[at] != kNoTarget && !alike(rows_[slots_[at]], like)) at = (at + 1) & mask;
    return slots_[at];
}

void AccessRows::make_slots(std::size_t count) {
    slots_.assign(count, kNoTarget);
    for (std::uint32_t number = 0; number < rows_.size(); ++number) slot_of(rows_[number]) = number;
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
            if (use.mode == LockMode::exclusive) held[use.lock] += cells(row).size();
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
