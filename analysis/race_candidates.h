// The race candidates of one variable: pairs of accesses that conflict, one candidate for each pair of
// places, put through the cheap filters.
//
// Grows with the rows of the variable: a new cell is compared with the rows of each site, until the candidate
// has ways enough. O(sites) for a cell where they have, O(rows) where not, less where a guard excludes whole
// rows.
#pragma once

#include "analysis/access_rows.h"
#include "analysis/candidate.h"
#include "analysis/candidate_entry.h"
#include "analysis/hard_order.h"
#include "analysis/lock_profiles.h"

#include <cstdint>
#include <vector>

namespace heddle {

class RaceCandidates {
  public:
    /// What comparing needs to know of the run.
    struct Context {
        const CellLookup& cells;
        const HardOrder& order;
        LockProfiles& profiles;
        WayLimits limits;
    };

    /// A cell that was just added to this row of the variable.
    void add(const Context& context, const AccessRows& rows, std::uint32_t row, CellId cell);

    /// Ascending by places, without samples.
    [[nodiscard]] std::vector<Candidate> list(const Context& context, VarId variable) const;
    /// Those that the cheap filters leave, or may: see CandidateNumbers.
    [[nodiscard]] CandidateNumbers numbers() const { return numbers_of(entries_); }

    /// The ways of an entry to try: all if they were all kept.
    [[nodiscard]] std::vector<Property> samples(const Context& context, std::uint32_t entry) const;
    /// False: there were too many ways to access the variable, and some were not compared.
    [[nodiscard]] bool complete() const { return budget_ > 0; }

  private:
    struct Way {
        CellId first;
        CellId second;
    };
    using Entry = CandidateEntry<Way>; ///< for two sites with accesses that conflict

    [[nodiscard]] static Race race(const Context& context, const Way& way);
    void compare(const Context& context, const AccessRows& rows, Entry& entry, const AccessRow& row,
                 CellId cell, const AccessRow& other);

    /// Of sites a <= b at b (b + 1) / 2 + a: into entries_, or kNoTarget. Most pairs of a variable with many
    /// sites have none.
    std::vector<std::uint32_t> entry_of_;
    std::vector<Entry> entries_;
    std::size_t open_ = 0; ///< entries with ways
    std::size_t budget_ = kMaxComparisons;
};

} // namespace heddle
