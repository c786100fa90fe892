// The last filter: the causality graph's word on what the cheap ones left.
//
// Candidates of all kinds are decided together, one way to reach each at a time, so that one graph serves
// many properties. What is feasible stays so however the run goes on, and is remembered; what is not is asked
// again when the run has grown, since a lock may have been given back or a semaphore posted.
#pragma once

#include "analysis/candidate.h"
#include "analysis/ucg.h"
#include "analysis/verdict.h"
#include "analysis/workers.h"
#include "traces/progress.h"

#include <cstddef>
#include <span>
#include <unordered_set>
#include <vector>

namespace heddle {

struct DecidedCandidate {
    Verdict verdict;
    Property representative; ///< the way that is possible, or the last one tried
};

class Decisions {
  public:
    /// In the order of the candidates. When told to stop, what is not decided by then stays undecided.
    [[nodiscard]] std::vector<DecidedCandidate> decide(const CausalityGraph& causality,
                                                       std::span<const Candidate> candidates,
                                                       const Workers& workers, const Progress& progress = {});

    /// Those that the graph does not refute.
    [[nodiscard]] static std::vector<Property> feasible_of(const CausalityGraph& causality,
                                                           std::span<const Property> properties);

  private:
    std::unordered_set<Property, PropertyHash> feasible_;
};

} // namespace heddle
