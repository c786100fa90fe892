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
#include <span>
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
        CandidateNumbers races;
        CandidateNumbers violations;
        CandidateNumbers inferred; ///< violations of what the source says belongs together
        bool complete = true;      ///< false: not all that its accesses make was looked at
    };
    /// Of the variables with candidates.
    [[nodiscard]] const std::map<VarId, Found>& found() const { return found_; }
    /// Its candidates of the last search, ascending by places, without samples.
    [[nodiscard]] std::vector<Candidate> races(VarId id);
    [[nodiscard]] std::vector<Candidate> violations(VarId id);
    [[nodiscard]] std::vector<Candidate> inferred(VarId id);
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
        std::vector<AtomicityCandidates> inferred; ///< one, or none as long as nothing is inferred
        CellId last_cell;                          ///< that was taken; invalid: none
        std::uint32_t last_pair = kNoTarget;       ///< likewise
        std::uint32_t last_inferred = kNoTarget;
    };

    /// What phase I found of a variable since it was asked last: cells and pairs of both kinds, the newest
    /// first.
    struct News {
        std::vector<std::uint32_t> cells;
        std::vector<std::uint32_t> pairs;
        std::vector<std::uint32_t> inferred;
    };

    void search(std::span<const VarId> batch);
    void gather_news(std::span<const VarId> batch, std::span<Variable* const> variables,
                     const PhaseOne::Sets& sets);
    void add(News& news, const PhaseOne::Sets& sets, std::uint32_t offset, Variable& variable);
    [[nodiscard]] CellLookup cells() const {
        return {accesses_.sets()[0]->cells, accesses_.sets()[1]->cells};
    }
    /// As it was at the last search, with what is open.
    [[nodiscard]] const Variable& searched(VarId id) const;

    Wanted wanted_;
    const HardOrder& order_;
    PhaseOne accesses_;
    std::vector<std::unique_ptr<Variable>> variables_; ///< by id; none for one that only one thread accesses
    std::map<VarId, Found> found_;
    std::map<VarId, Variable> with_open_; ///< as they are with what is not settled yet, at the last search
    std::vector<News> news_;              ///< of a batch
};

} // namespace heddle
