// The search for witnesses of findings: for each, some of the combinations of events behind it
// (combinations.h) go through the stages (property_search.h), the cheap ones for all before the dear ones for
// a few. Every schedule that is found passes the checker before anybody hears of it.
//
// What was found is remembered, and checked again when the run has grown. What was not is looked for again.
//
// One thread at a time; the workers run within a call.
#pragma once

#include "analysis/candidate.h"
#include "analysis/phase_one.h"
#include "analysis/property.h"
#include "analysis/ucg.h"
#include "analysis/verdict.h"
#include "analysis/witness/budget.h"
#include "analysis/witness/run_index.h"
#include "analysis/workers.h"
#include "traces/progress.h"
#include "traces/trace.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace heddle {

struct WitnessQuestion {
    const Candidate* candidate = nullptr;
    Property possible; ///< a way to reach it that is statically feasible
};

struct WitnessOptions {
    WitnessBudget budget;
    bool given_transactions = false; ///< there are some that the trace does not tell of
    Workers workers;
    const SourceBlocks* source = nullptr; ///< what the source tells of the run's stacks
};

struct WitnessAnswer {
    Verdict verdict;   ///< witnessed, refuted by data, or possible and why there is no witness
    Property property; ///< of which the verdict speaks
    std::optional<WitnessStage> settled_by;
};

class WitnessSearch {
  public:
    /// In the order of the questions, which are about the graph's trace. That must extend the one of the call
    /// before. `locks`: phase I of it, shard 0. When told to stop, what is not settled by then stays
    /// possible.
    [[nodiscard]] std::vector<WitnessAnswer> search(const Trace& trace, const CausalityGraph& causality,
                                                    const PhaseOne& locks,
                                                    std::span<const WitnessQuestion> questions,
                                                    const WitnessOptions& options,
                                                    const Progress& progress = {});

  private:
    void forget_refused(const Trace& trace);
    [[nodiscard]] std::unordered_map<Property, WitnessAnswer, PropertyHash>&
    known_for(const WitnessQuestion& question) {
        return known_[static_cast<std::size_t>(intent_of(question.candidate->key))];
    }
    void check(const Trace& trace, std::span<const WitnessQuestion> questions,
               std::vector<WitnessAnswer>& answers);

    RunIndex index_;
    /// Witnesses, by the question's property. Transactions of one intent are none of another.
    std::array<std::unordered_map<Property, WitnessAnswer, PropertyHash>, kIntentNames.size()> known_;
    std::size_t checked_ = 0; ///< events of the run that these were checked against
};

} // namespace heddle
