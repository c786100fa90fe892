#include "analysis/witness/finding_search.h"

#include <algorithm>
#include <utility>

namespace heddle {

namespace {

using Outcome = PropertyAnswer::Outcome;

/// Of combinations that are looked at, for each that may stay open.
constexpr std::size_t kLooksEach = 8;
/// Of combinations that go through the dear stages, if that does not settle them all.
constexpr std::size_t kMaxDear = 3;

} // namespace

FindingSearch::FindingSearch(const WitnessContext& context, const WitnessQuestion& question,
                             const Occurrences& occurrences)
    : context_(context), possible_(question.possible), is_feasible_(!question.undecided) {
    const CombinationFinder finder(context.trace, context.index, context.order, context.locks,
                                   context.given_transactions, context.source);
    combinations_ = finder.find(*question.candidate, possible_, occurrences, context.budget.combinations);
    answer_ = {
        unsettled(question, is_feasible_
                                ? "none of the events that were looked at can meet because of what was read"
                                : "none of the events that were looked at can meet; there are more"),
        possible_, std::nullopt};
}

bool FindingSearch::take(const Property& property, PropertyAnswer answer) {
    if (answer.outcome == Outcome::witnessed) {
        answer_ = {Witnessed{std::move(answer.schedule), answer.by}, property, answer.by};
        return true;
    }
    if (answer.outcome == Outcome::open) {
        answer_.verdict = Possible{.unwitnessed = std::move(answer.why)};
    } else if (!refuted_ || (answer.by_data && !refuted_->by_data)) {
        refuted_ = std::move(answer);
    }
    return false;
}

bool FindingSearch::take_open(std::size_t number, PropertyAnswer answer) {
    const bool refuted = answer.outcome == Outcome::refuted;
    if (take(open_[number]->property(), std::move(answer))) return true;
    if (refuted) open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(number));
    return false;
}

WitnessAnswer FindingSearch::refutation() const {
    if (!refuted_)
        return {Refuted{Filter::data, "what was read puts its events in one order, wherever they occur"},
                possible_, WitnessStage::data_order};
    // Values had a part in it, for the feasible one at least.
    return {Refuted{refuted_->by_data ? Filter::data : Filter::causality_graph, refuted_->why}, possible_,
            refuted_->by};
}

std::size_t FindingSearch::dear() const {
    return looked_at_all() ? open_.size() : std::min(open_.size(), kMaxDear);
}

PropertyAnswer FindingSearch::try_cheaply(PropertySearch& search) const {
    PropertyAnswer answer = search.without_backtracking();
    if (answer.outcome != Outcome::open) return answer;
    if (search.contradictory())
        return {.outcome = Outcome::refuted,
                .by = WitnessStage::data_order,
                .why = "what was read and the locks leave no order in which its events meet"};
    const bool is_feasible = is_feasible_ && search.property() == possible_;
    if (!is_feasible && search.infeasible())
        return {.outcome = Outcome::refuted,
                .by = WitnessStage::linearisation,
                .by_data = false,
                .why = "synchronisation does not allow it"};
    return answer;
}

bool FindingSearch::try_combinations() {
    const std::size_t end =
        std::min(combinations_.properties.size(), kLooksEach * context_.budget.combinations);
    for (; next_ < end && open_.size() < context_.budget.combinations; ++next_) {
        auto search = std::make_unique<PropertySearch>(context_, combinations_.properties[next_]);
        PropertyAnswer answer = try_cheaply(*search);
        const bool is_open = answer.outcome == Outcome::open;
        if (take(search->property(), std::move(answer))) return true;
        if (is_open) open_.push_back(std::move(search));
    }
    return false;
}

bool FindingSearch::try_orders() {
    while (ordered_ < dear()) {
        const std::size_t before = open_.size();
        if (take_open(ordered_, open_[ordered_]->with_backtracking())) return true;
        if (open_.size() == before) ++ordered_;
    }
    return false;
}

WitnessAnswer FindingSearch::without_solver() {
    for (std::size_t before = SIZE_MAX; before != next_;) {
        before = next_;
        if (try_combinations() || try_orders()) return answer_;
    }
    if (all_refuted()) return answer_ = refutation();
    if (refuted_ && refuted_->by_data && std::holds_alternative<Possible>(answer_.verdict))
        answer_.verdict =
            Possible{"some of the events behind it cannot meet because of what was read; others "
                     "were not tried"};
    return answer_;
}

WitnessAnswer FindingSearch::with_solver(std::size_t& queries) {
    SolverPool solvers(
        context_.causality, context_.index,
        {.max_events = context_.budget.solver_window, .effort = context_.budget.solver_effort});
    for (const auto& search : open_) search->prepare(solvers);
    for (std::size_t number = 0; number < dear();) {
        ++queries;
        const std::size_t before = open_.size();
        if (take_open(number, open_[number]->with_solver(solvers))) return answer_;
        if (open_.size() == before) ++number;
    }
    return all_refuted() ? refutation() : answer_;
}

} // namespace heddle
