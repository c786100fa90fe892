// The search for witnesses of findings: for each, some of the combinations of events behind it
// (combinations.h) go through the stages (property_search.h), the cheap ones for all before the dear ones for
// a few. Every schedule that is found passes the checker before anybody hears of it.
//
// Of the candidates that are one bug to a person, they are looked at until one has a witness, or a few have
// come to nothing that would settle them.
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
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heddle {

struct WitnessQuestion {
    const Candidate* candidate = nullptr;
    Property possible;      ///< a way to reach it that is statically feasible, unless
    std::uint32_t bug = 0;  ///< which it is, as a person counts: one of its candidates is enough
    bool undecided = false; ///< no way that was tried is feasible, and others were not tried
};

/// What is not settled, for this reason.
[[nodiscard]] inline Verdict unsettled(const WitnessQuestion& question, std::string why) {
    if (question.undecided) return Undecided{std::move(why)};
    return Possible{std::move(why)};
}

/// The reason of a candidate that was left alone, as others of the same bug have a witness, or enough of them
/// none.
inline constexpr std::string_view kOthersLookedAt =
    "no schedule was looked for, after others in the same places were looked at";

struct WitnessOptions {
    WitnessBudget budget;
    bool given_transactions = false; ///< there are some that the trace does not tell of
    Workers workers;
    const SourceBlocks* source = nullptr; ///< what the source tells of the run's stacks
};

struct WitnessAnswer {
    Verdict
        verdict; ///< witnessed, refuted by data, or possible and why there is no witness; or undecided still
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
