// The cells of one variable, arranged for comparison: a site for each place, in it a row for each way to
// access the variable there (thread, kind, bytes, locks), in a row one cell for each segment of the hard
// order. Along a row everything ascends: the events, what is forced before them, and what they are forced
// before.
//
// Grows with the run, cell by cell. A value: copy it to see what more cells would make of it.
#pragma once

#include "analysis/access_cells.h"
#include "analysis/lock_profiles.h"
#include "analysis/phase_one.h"
#include "traces/hash_index.h"

#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

[[nodiscard]] constexpr std::uint8_t byte_mask(ByteRange bytes) {
    return static_cast<std::uint8_t>(((1U << bytes.size) - 1U) << bytes.offset);
}

struct AccessRow {
    std::uint32_t site = 0;
    AccessShape shape;
    ProfileId profile;
    std::uint8_t bytes = 0; ///< one bit for each
    bool writes = false;
    bool atomic = false;
    bool guarded = false;        ///< holds the variable's guard exclusively
    CellId first;                ///< of its cells
    std::vector<CellId> further; ///< most rows have none

    [[nodiscard]] bool conflicts_with(const AccessRow& other) const {
        return shape.thread() != other.shape.thread() && (writes || other.writes) &&
               !(atomic && other.atomic) && (bytes & other.bytes) != 0;
    }
    [[nodiscard]] std::size_t size() const { return 1 + further.size(); }
    [[nodiscard]] CellId operator[](std::size_t at) const { return at == 0 ? first : further[at - 1]; }
};

/// The first cell of a row, from this one on, that does not lie among the first `events` events of its
/// thread.
[[nodiscard]] std::size_t first_beyond(const CellLookup& cells, const AccessRow& row, std::size_t from,
                                       std::uint32_t events);

struct AccessSite {
    PlaceId place;
    bool writes = false;                ///< some row does
    std::vector<std::uint32_t> guarded; ///< rows
    std::vector<std::uint32_t> unguarded;
};

/// Two rows, or a row and a transaction, that both hold the guard exclude each other. What of a site or of a
/// list of pairs is to be compared with something that does or does not hold it.
template<typename Visit>
void for_each_to_compare(const std::vector<std::uint32_t>& guarded,
                         const std::vector<std::uint32_t>& unguarded, bool other_guarded, Visit&& visit) {
    for (const std::uint32_t one : unguarded) {
        if (!visit(one)) return;
    }
    if (other_guarded) return;
    for (const std::uint32_t one : guarded) {
        if (!visit(one)) return;
    }
}

class AccessRows {
  public:
    /// Adds a cell of the variable; tells its row.
    std::uint32_t add(const CellLookup& cells, CellId id, const LockProfiles& profiles);

    [[nodiscard]] const std::vector<AccessSite>& sites() const { return sites_; }
    [[nodiscard]] const AccessRow& row(std::uint32_t number) const { return rows_[number]; }
    /// Whether more than one thread accesses the variable.
    [[nodiscard]] bool shared() const { return shared_; }
    /// Whether a thread at this profile holds the lock that most cells of the variable held exclusively when
    /// it was chosen. Chosen anew whenever the variable has many more cells: see guard_number().
    [[nodiscard]] bool guarded(const LockProfiles& profiles, ProfileId profile) const;
    /// Changes when another guard is chosen.
    [[nodiscard]] std::uint32_t guard_number() const { return guard_number_; }

  private:
    [[nodiscard]] std::uint32_t site_of(PlaceId place);
    void choose_guard(const LockProfiles& profiles);

    std::vector<AccessRow> rows_;
    std::vector<AccessSite> sites_;
    HashIndex index_; ///< of rows_
    bool shared_ = false;
    LockId guard_;
    std::uint32_t guard_number_ = 0;
    std::size_t cells_ = 0;
    std::size_t choose_at_ = 32; ///< cells: with fewer there is nothing to gain
};

} // namespace heddle
