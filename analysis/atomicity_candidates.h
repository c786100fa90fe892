// The atomicity candidates of one variable: two accesses of one transaction and a remote one, one candidate
// for each three places, put through the cheap filters. Phase II of seed 001, where accesses are told apart
// by segment and place as well, so that the hard order and the causality graph can judge them.
//
// Grows with the cells and pairs of the variable: a new pair is compared with the rows of each site, a new
// cell with the rows of pairs, until the candidate has ways enough. O(rows × log cells) for each.
#pragma once

#include "analysis/access_rows.h"
#include "analysis/candidate.h"
#include "analysis/candidate_entry.h"
#include "analysis/hard_order.h"
#include "analysis/phase_one.h"

#include <cstdint>
#include <tuple>
#include <vector>

namespace heddle {

class AtomicityCandidates {
  public:
    /// `inferred`: all pairs are (inferred_pairs.h).
    explicit AtomicityCandidates(bool inferred = false) : inferred_(inferred) {}

    /// What comparing needs to know of the run.
    struct Context {
        const CellLookup& cells;
        const HardOrder& order;
        PhaseOne& accesses;
        WayLimits limits;
    };

    /// A cell was just added to this row of the variable.
    void add(const Context& context, const AccessRows& rows, std::uint32_t row);
    /// A pair of the variable, whose cells are those of the context. `origin`: its number in its set, counted
    /// from CellLookup::kSecond on in the second one.
    void add(const Context& context, const AccessRows& rows, const TransactionPair& pair,
             std::uint32_t origin);

    /// Ascending by the places of the transaction, then the remote one, without samples.
    [[nodiscard]] std::vector<Candidate> list(const Context& context, VarId variable) const;
    /// Those that the cheap filters leave, or may: see CandidateNumbers.
    [[nodiscard]] CandidateNumbers numbers() const { return numbers_of(entries_); }

    /// The ways of an entry to try: all if they were all kept.
    [[nodiscard]] std::vector<Property> samples(const Context& context, std::uint32_t entry) const;
    /// False: there were too many ways to access the variable, and some were not compared.
    [[nodiscard]] bool complete() const { return budget_ > 0; }

  private:
    struct Way {
        std::uint32_t pair = 0;
        CellId remote;
    };
    /// For the places of a transaction and a remote one, where accesses conflict.
    using Entry = CandidateEntry<Way>;
    /// Pairs of a site that one thread makes in the same way, under the same locks. As in a row of cells,
    /// what is forced before them ascends, and so does what they are forced before.
    struct PairRow {
        AccessShape first;
        AccessShape second;
        ProfileId profile;
        bool guarded = false;             ///< holds the variable's guard exclusively
        std::vector<std::uint32_t> pairs; ///< by their first accesses
        std::vector<std::uint32_t> until; ///< for each, the last second access (in its thread) up to it

        /// Where among the rows of a site it stands.
        [[nodiscard]] auto key() const { return std::tuple(first, second, profile); }
    };
    /// Pairs whose accesses are at the same two places.
    struct PairSite {
        PlaceId first;
        PlaceId second;
        bool in_source = false;              ///< they are transactions because the source is marked
        bool both_write = false;             ///< of some pair
        std::vector<PairRow> rows;           ///< ascending by key()
        std::vector<std::uint32_t> entry_of; ///< by site of the remote access: into entries_, or kNoTarget
    };

    [[nodiscard]] PairSite& pair_site(const Context& context, const TransactionPair& pair);
    [[nodiscard]] PairRow& pair_row(const Context& context, const AccessRows& rows, PairSite& site,
                                    const TransactionPair& pair);
    /// Puts the last of pairs_ into its row.
    void add_to_row(const Context& context, PairRow& row);
    [[nodiscard]] static std::uint32_t& entry_of(PairSite& pairs, std::uint32_t site);
    [[nodiscard]] bool saturated(const Context& context, std::uint32_t entry) const {
        return entry != kNoTarget && entries_[entry].saturated(context.limits);
    }
    [[nodiscard]] bool order_allows(std::uint32_t entry) const {
        return entry != kNoTarget && entries_[entry].order_allows;
    }
    void follow_guard(const Context& context, const AccessRows& rows);
    // False: this was the last that need be compared.
    /// The last of pairs_, with the cells of the row.
    bool compare(const Context& context, const AccessRows& rows, std::uint32_t& known, bool pair_guarded,
                 const AccessRow& remote);
    /// The pairs of the row, with the newest cell of a row.
    bool compare(const Context& context, std::uint32_t& known, const PairRow& pairs, const AccessRow& remote,
                 CellId newest);
    /// The entry to note in what comes of a comparison; null if there is nothing more to compare.
    [[nodiscard]] Entry* entry_to_judge(std::uint32_t& known, const Way& any);
    /// A way that the locks and the hard order leave.
    void judge_future(const Context& context, Entry& entry, const Way& way);
    /// Whether the pair stands for other events, too.
    [[nodiscard]] bool repeated(const Context& context, std::uint32_t pair) const;
    [[nodiscard]] AtomicityViolation violation(const Context& context, const Way& way) const;

    bool inferred_;
    std::vector<TransactionPair> pairs_;
    std::vector<std::uint32_t> origins_; ///< of pairs_
    std::vector<PairSite> pair_sites_;
    std::vector<Entry> entries_;
    std::uint32_t guard_number_ = 0;
    std::size_t open_ = 0; ///< entries with ways
    std::size_t budget_ = kMaxComparisons;
};

} // namespace heddle
