// The search for races and atomicity violations among some of the variables of a run, kept current while the
// run grows: phase I of all its events, and the candidates of each variable, to which only what is new is
// added.
#pragma once

#include "analysis/access_rows.h"
#include "analysis/atomicity_candidates.h"
#include "analysis/candidate.h"
#include "analysis/hard_order.h"
#include "analysis/phase_one.h"
#include "analysis/race_candidates.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace heddle {

class CandidateSearch {
  public:
    struct Wanted {
        bool races = true;
        bool atomicity = true;
        WayLimits limits;
    };

    CandidateSearch(const PhaseOneOptions& options, const Wanted& wanted)
        : wanted_(wanted), order_(*options.order), accesses_(options) {}

    /// Takes the events since. False: told to stop before the last one.
    bool extend(const Trace& trace, const Progress& progress) { return accesses_.extend(trace, progress); }
    /// Searches the variables that changed.
    void search();

    struct Found {
        std::vector<Candidate> races;
        std::vector<Candidate> violations;
        FunnelCounts race_counts;
        FunnelCounts violation_counts;
        bool complete = true; ///< false: not all that its accesses make was looked at
    };
    /// Of the variables with candidates.
    [[nodiscard]] const std::map<VarId, Found>& found() const { return found_; }
    /// The ways to try for a candidate of the last search.
    [[nodiscard]] std::vector<Property> samples(const Candidate& candidate);
    [[nodiscard]] PhaseOne& accesses() { return accesses_; }
    [[nodiscard]] const PhaseOne& accesses() const { return accesses_; }

  private:
    /// What was made of a variable's cells and pairs so far.
    struct Variable {
        AccessRows rows;
        RaceCandidates races;
        AtomicityCandidates violations;
        CellId last_cell;                    ///< that was taken; invalid: none
        std::uint32_t last_pair = kNoTarget; ///< likewise
    };

    void add_new(VarId id, const PhaseOne::Sets& sets, std::uint32_t offset, Variable& variable);
    [[nodiscard]] Found list(VarId id, const Variable& variable);

    Wanted wanted_;
    const HardOrder& order_;
    PhaseOne accesses_;
    std::vector<std::unique_ptr<Variable>> variables_; ///< by id; none for one that only one thread accesses
    std::map<VarId, Found> found_;
    std::map<VarId, Variable> with_open_; ///< as they are with what is not settled yet, at the last search
    std::vector<CellId> new_cells_;
    std::vector<std::uint32_t> new_pairs_;
};

} // namespace heddle
