#include "analysis/witness/search.h"

#include "analysis/witness/checker.h"
#include "analysis/witness/finding_search.h"
#include "analysis/witness/lock_requests.h"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <unordered_set>
#include <utility>

namespace heddle {

namespace {

/// How many findings are looked at between two looks at whether to stop.
constexpr std::size_t kBatch = 64;
constexpr std::size_t kSolverBatch = 8;

/// Where the events of a batch of findings occur. Findings of one variable follow each other, so its accesses
/// are gathered once as a rule.
class OccurrenceCache {
  public:
    explicit OccurrenceCache(const WitnessContext& context) : context_(context) {}

    void prepare(std::span<const WitnessQuestion* const> batch, const Workers& workers) {
        std::map<VarId, std::unique_ptr<AccessGroups>> wanted;
        std::vector<VarId> missing;
        for (const WitnessQuestion* question : batch) {
            const VarId variable = variable_of(*question);
            if (!variable.valid() && !requests_)
                requests_.emplace(*context_.causality.context(), context_.order);
            if (!variable.valid() || wanted.contains(variable)) continue;
            const auto known = groups_.find(variable);
            if (known == groups_.end()) missing.push_back(variable);
            wanted[variable] = known == groups_.end() ? nullptr : std::move(known->second);
        }
        groups_ = std::move(wanted);
        workers(missing.size(), [&](std::size_t i) {
            groups_.at(missing[i]) = std::make_unique<AccessGroups>(
                context_.trace, context_.index, context_.order, context_.locks, missing[i]);
        });
    }
    [[nodiscard]] Occurrences of(const WitnessQuestion& question) const {
        const VarId variable = variable_of(question);
        if (!variable.valid()) return {.requests = &*requests_};
        return {.accesses = groups_.at(variable).get()};
    }

  private:
    /// Invalid: it is a deadlock.
    [[nodiscard]] VarId variable_of(const WitnessQuestion& question) const {
        if (std::holds_alternative<Deadlock>(question.possible)) return {};
        return context_.trace[events_of(question.possible).front()].variable();
    }

    const WitnessContext& context_;
    std::map<VarId, std::unique_ptr<AccessGroups>> groups_;
    std::optional<LockRequests> requests_;
};

/// Which bugs need no further look, by number.
class BugsLookedAt {
  public:
    void learn(const WitnessQuestion& question, const WitnessAnswer& answer) {
        if (std::holds_alternative<Witnessed>(answer.verdict)) witnessed_.insert(question.bug);
        if (!answer.settled_by) ++open_[question.bug];
    }
    [[nodiscard]] bool witnessed(const WitnessQuestion& question) const {
        return witnessed_.contains(question.bug);
    }
    [[nodiscard]] bool enough(const WitnessQuestion& question) const {
        const auto open = open_.find(question.bug);
        return witnessed(question) || (open != open_.end() && open->second >= kMaxOpen);
    }

  private:
    static constexpr std::size_t kMaxOpen = 8;

    std::unordered_set<std::uint32_t> witnessed_;
    std::unordered_map<std::uint32_t, std::size_t> open_; ///< how many candidates no stage settled
};

/// Settles questions of which nothing is known yet.
class Search {
  public:
    Search(const WitnessContext& context, std::span<const WitnessQuestion> questions, BugsLookedAt bugs,
           const Workers& workers, const Progress& progress)
        : context_(context), questions_(questions), bugs_(std::move(bugs)), workers_(workers),
          progress_(progress), open_(questions.size()) {
        for (const WitnessQuestion& question : questions)
            answers_.push_back({unsettled(question, "stopped before a witness was looked for"),
                                question.possible, std::nullopt});
    }

    [[nodiscard]] std::vector<WitnessAnswer> run() {
        if (without_solver()) with_solver();
        return std::move(answers_);
    }

  private:
    /// False: told to stop.
    bool without_solver() {
        OccurrenceCache occurrences(context_);
        for (std::size_t next = 0; next < questions_.size();) {
            if (progress_ && !progress_(next, questions_.size())) return false;
            const std::vector<const WitnessQuestion*> batch = take_batch(next);
            occurrences.prepare(batch, workers_);
            workers_(batch.size(), [&](std::size_t i) {
                auto search = std::make_unique<FindingSearch>(context_, *batch[i], occurrences.of(*batch[i]));
                const std::size_t number = number_of(batch[i]);
                answers_[number] = search->without_solver();
                if (!answers_[number].settled_by) open_[number] = std::move(search);
            });
            for (const WitnessQuestion* question : batch)
                bugs_.learn(*question, answers_[number_of(question)]);
        }
        return true;
    }

    [[nodiscard]] std::size_t number_of(const WitnessQuestion* question) const {
        return static_cast<std::size_t>(question - questions_.data());
    }

    /// From this question on; those whose bugs need no look are answered so.
    [[nodiscard]] std::vector<const WitnessQuestion*> take_batch(std::size_t& next) {
        std::vector<const WitnessQuestion*> batch;
        for (; next < questions_.size() && batch.size() < kBatch; ++next) {
            if (bugs_.enough(questions_[next]))
                answers_[next].verdict = unsettled(questions_[next], std::string(kOthersLookedAt));
            else
                batch.push_back(&questions_[next]);
        }
        return batch;
    }

    /// The first of those that are left, as far as the budget goes.
    void with_solver() {
        std::vector<std::size_t> left;
        for (std::size_t i = 0; i < open_.size(); ++i)
            if (open_[i] && !bugs_.witnessed(questions_[i])) left.push_back(i);
        std::size_t queries = 0;
        for (std::size_t from = 0; from < left.size() && queries < context_.budget.solver_queries;
             from += kSolverBatch) {
            if (progress_ && !progress_(from, left.size())) return;
            std::vector<std::size_t> spent(std::min(kSolverBatch, left.size() - from));
            workers_(spent.size(), [&](std::size_t i) {
                answers_[left[from + i]] = open_[left[from + i]]->with_solver(spent[i]);
            });
            queries = std::accumulate(spent.begin(), spent.end(), queries);
        }
    }

    const WitnessContext& context_;
    std::span<const WitnessQuestion> questions_;
    BugsLookedAt bugs_;
    const Workers& workers_;
    const Progress& progress_;
    std::vector<WitnessAnswer> answers_;
    std::vector<std::unique_ptr<FindingSearch>> open_;
};

} // namespace

std::vector<WitnessAnswer> WitnessSearch::search(const Trace& trace, const CausalityGraph& causality,
                                                 const PhaseOne& locks,
                                                 std::span<const WitnessQuestion> questions,
                                                 const WitnessOptions& options, const Progress& progress) {
    forget_refused(trace);
    std::vector<WitnessAnswer> answers(questions.size());
    std::vector<WitnessQuestion> unknown;
    std::vector<std::size_t> of;
    BugsLookedAt bugs;
    for (std::size_t i = 0; i < questions.size(); ++i) {
        const auto& witnesses = known_for(questions[i]);
        if (const auto known = witnesses.find(questions[i].possible); known != witnesses.end()) {
            answers[i] = known->second;
            bugs.learn(questions[i], answers[i]);
        } else {
            unknown.push_back(questions[i]);
            of.push_back(i);
        }
    }
    if (unknown.empty()) return answers;
    index_.extend(trace);
    const DataOrder order(trace, causality.seeds(), index_, options.workers);
    const WitnessContext context{
        trace, causality, index_, order, locks, options.budget, options.given_transactions, options.source};
    std::vector<WitnessAnswer> found =
        Search(context, unknown, std::move(bugs), options.workers, progress).run();
    check(trace, unknown, found);
    for (std::size_t k = 0; k < found.size(); ++k) answers[of[k]] = std::move(found[k]);
    return answers;
}

/// What came since may tell more of the events that a witness takes: which notify ended a wait, say.
void WitnessSearch::forget_refused(const Trace& trace) {
    if (trace.size() == checked_) return;
    checked_ = trace.size();
    for (auto& known : known_) {
        std::vector<WitnessClaim> claims;
        std::vector<Property> of;
        for (const auto& [possible, answer] : known) {
            claims.push_back({answer.property, std::get<Witnessed>(answer.verdict).schedule});
            of.push_back(possible);
        }
        const std::vector<Result<void>> results = check_witnesses(trace, claims);
        for (std::size_t k = 0; k < results.size(); ++k)
            if (!results[k]) known.erase(of[k]);
    }
}

void WitnessSearch::check(const Trace& trace, std::span<const WitnessQuestion> questions,
                          std::vector<WitnessAnswer>& answers) {
    std::vector<WitnessClaim> claims;
    std::vector<std::size_t> of;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const auto* witnessed = std::get_if<Witnessed>(&answers[i].verdict);
        if (witnessed == nullptr) continue;
        claims.push_back({answers[i].property, witnessed->schedule});
        of.push_back(i);
    }
    const std::vector<Result<void>> results = check_witnesses(trace, claims);
    for (std::size_t k = 0; k < results.size(); ++k) {
        const Property& possible = questions[of[k]].possible;
        WitnessAnswer& answer = answers[of[k]];
        if (results[k]) {
            known_for(questions[of[k]]).emplace(possible, answer);
        } else {
            answer = {
                Possible{"a schedule was found that the checker refused: " + results[k].error().message},
                possible, std::nullopt};
        }
    }
}

} // namespace heddle
