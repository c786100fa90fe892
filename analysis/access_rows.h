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

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

[[nodiscard]] constexpr std::uint8_t byte_mask(ByteRange bytes) {
    return static_cast<std::uint8_t>(((1U << bytes.size) - 1U) << bytes.offset);
}

/// A run may have millions of rows, most of one cell: what more a row has is kept apart. See
/// AccessRows::cells.
struct AccessRow {
    std::uint32_t site = 0;
    AccessShape shape;
    ProfileId profile;
    CellId first;                      ///< of its cells
    std::uint32_t further = kNoTarget; ///< which list has the others
    std::uint8_t bytes = 0;            ///< one bit for each
    bool writes = false;
    bool atomic = false;
    bool guarded = false; ///< holds the variable's guard exclusively

    [[nodiscard]] bool conflicts_with(const AccessRow& other) const {
        return shape.thread() != other.shape.thread() && (writes || other.writes) &&
               !(atomic && other.atomic) && (bytes & other.bytes) != 0;
    }
};

/// The cells of a row, ascending. Valid until the next one is added.
struct RowCells {
    CellId first;
    std::span<const CellId> further;

    [[nodiscard]] std::size_t size() const { return 1 + further.size(); }
    [[nodiscard]] CellId operator[](std::size_t at) const { return at == 0 ? first : further[at - 1]; }
};

/// The first cell of a row, from this one on, that does not lie among the first `events` events of its
/// thread.
[[nodiscard]] inline std::size_t first_beyond(const CellLookup& cells, const RowCells& row, std::size_t from,
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
    /// So many cells will be added.
    void expect(std::size_t cells);
    /// Adds a cell of the variable; tells its row.
    std::uint32_t add(const CellLookup& cells, CellId id, const LockProfiles& profiles);

    [[nodiscard]] const std::vector<AccessSite>& sites() const { return sites_; }
    [[nodiscard]] const AccessRow& row(std::uint32_t number) const { return rows_[number]; }
    [[nodiscard]] RowCells cells(const AccessRow& row) const {
        if (row.further == kNoTarget) return {row.first, {}};
        return {row.first, further_[row.further]};
    }
    /// Whether more than one thread accesses the variable.
    [[nodiscard]] bool shared() const { return shared_; }
    /// Whether a thread at this profile holds the lock that most cells of the variable held exclusively when
    /// it was chosen. Chosen anew whenever the variable has many more cells: see guard_number().
    [[nodiscard]] bool guarded(const LockProfiles& profiles, ProfileId profile) const;
    /// Changes when another guard is chosen.
    [[nodiscard]] std::uint32_t guard_number() const { return guard_number_; }

  private:
    [[nodiscard]] std::uint32_t site_of(PlaceId place);
    /// The slot of the row that is like this one, or where it would go.
    [[nodiscard]] std::uint32_t& slot_of(const AccessRow& like);
    void make_slots(std::size_t count);
    std::uint32_t add_row(const AccessRow& row);
    void choose_guard(const LockProfiles& profiles);

    std::vector<AccessRow> rows_;
    std::vector<std::vector<CellId>> further_;
    std::vector<AccessSite> sites_;
    /// A hash table of rows_, kNoTarget where it is free. Every variable has one, so it holds nothing else:
    /// whether a row is the one looked for is seen from the row.
    std::vector<std::uint32_t> slots_;
    bool shared_ = false;
    LockId guard_;
    std::uint32_t guard_number_ = 0;
    std::size_t cells_ = 0;
    std::size_t choose_at_ = 8; ///< cells: with fewer there is nothing to gain
};

} // namespace heddle
