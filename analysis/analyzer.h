// The analysis of a run that goes on: accepts appended events, and properties to decide besides those it
// finds itself, and tells what changed. After every step the result is what a fresh analysis of the same
// events gives.
//
// Nearly all of a step's cost is for what is new: the passes take the new events, candidates are searched for
// the variables touched since, and the causality graph is asked only what is not known to be feasible. Some
// events change what earlier ones mean (a wait's end tells which notify it belonged to; a post, what a
// semaphore forces; a second order of two locks, whose futures matter): then the step starts over, and costs
// what a fresh analysis does.
//
// One thread at a time; the workers of the options run within a call.
#pragma once

#include "analysis/analyze.h"
#include "analysis/candidate_search.h"
#include "analysis/deadlocks.h"
#include "analysis/decisions.h"
#include "analysis/hard_order.h"
#include "analysis/same_bug.h"
#include "analysis/ucg.h"
#include "analysis/witness/search.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace heddle {

struct AnalysisChanges {
    std::vector<std::size_t> added;   ///< into Analysis::findings
    std::vector<std::size_t> changed; ///< likewise: another verdict, representative or count
    std::vector<CandidateKey> gone;
};

class Analyzer {
  public:
    explicit Analyzer(AnalyzeOptions options);
    Analyzer(const Analyzer&) = delete;
    Analyzer& operator=(const Analyzer&) = delete;
    Analyzer(Analyzer&&) = delete;
    Analyzer& operator=(Analyzer&&) = delete;
    ~Analyzer();

    /// The trace must extend that of the call before. When told to stop, the result is that of what was taken
    /// by then, and says so; the next call goes on from there.
    const Analysis& extend(const Trace& trace, const Progress& progress = {});

    /// Whether the calls of extend() that follow look for witnesses. To know quickly what is possible, extend
    /// without, and then once more to the same run.
    void look_for_witnesses(bool wanted) { options_.witnesses = wanted; }

    /// From now on with what the source says, and from the run's first event on: the next call of extend()
    /// starts over.
    void use(std::shared_ptr<const SourceBlocks> source);

    /// Whether to extend to a run of so many events, or to wait until it has grown more: a step that starts
    /// over is soon followed by another as a rule. Whoever follows this pays for steps that start over what
    /// at most five fresh analyses cost, and for the others what is new. When no more will come, do not wait.
    [[nodiscard]] bool worth_extending(std::size_t events) const {
        return events >= started_over_at_ + started_over_at_ / 4;
    }

    [[nodiscard]] const Analysis& analysis() const& { return analysis_; }
    /// When it will not be extended any more.
    [[nodiscard]] Analysis analysis() && { return std::move(analysis_); }
    /// By the last call of extend().
    [[nodiscard]] const AnalysisChanges& changes() const { return changes_; }

    /// A property of one's own, of events that were taken. Touches nothing else.
    [[nodiscard]] PropertyId add(const Property& property);
    void remove(PropertyId id) { own_[id.value].reset(); }
    /// What is known of it now.
    [[nodiscard]] Verdict verdict(PropertyId id);

  private:
    /// All that depends on the events.
    struct Run {
        CausalityGraph causality;
        HardOrder order;
        std::vector<std::unique_ptr<CandidateSearch>> searches;
        std::vector<bool> futures; ///< threads for which the searches tell them apart
        Decisions decisions;
    };

    [[nodiscard]] bool extend_run(const Trace& trace, const Progress& progress);
    void start_searches();
    [[nodiscard]] bool search(const Trace& trace, const Progress& progress,
                              const std::function<void()>& besides);
    [[nodiscard]] Analysis conclude(const Trace& trace, const Progress& progress, bool with_witnesses);
    [[nodiscard]] std::vector<Candidate> gather(const DeadlockCandidates& deadlocks, Analysis& result) const;
    void find_witnesses(std::span<const Candidate> candidates, const std::vector<bool>& left_out,
                        std::span<DecidedCandidate> decided, Analysis& result, const Progress& progress);
    [[nodiscard]] Finding finding(const Candidate& candidate, DecidedCandidate decided) const;
    void compare_with(const Analysis& before);

    AnalyzeOptions options_;
    Trace trace_;
    std::unique_ptr<Run> run_;
    std::size_t started_over_at_ = 0; ///< events, when a step last had to
    WitnessSearch witnesses_;         ///< outlives a run that starts over: what it knows still holds
    SameBug same_bug_;                ///< likewise
    Analysis analysis_;
    AnalysisChanges changes_;
    std::vector<std::optional<Property>> own_; ///< by property id
};

} // namespace heddle
