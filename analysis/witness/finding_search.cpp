#include "analysis/witness/finding_search.h"

#include <algorithm>
#include <utility>

namespace heddle {

namespace {

/// Of combinations that go through the dear stages, if that does not settle them all.
constexpr std::size_t kMaxDear = 3;

} // namespace

FindingSearch::FindingSearch(const WitnessContext& context, const WitnessQuestion& question,
                             const AccessGroups* groups)
    : possible_(question.possible) {
    const CombinationFinder finder(context.trace, context.index, context.order, context.locks,
                                   context.given_transactions);
    Combinations combinations =
        finder.find(*question.candidate, possible_, groups, context.budget.combinations);
    all_ = combinations.all;
    for (Property& property : combinations.properties) searches_.emplace_back(context, std::move(property));
    refuted_.resize(searches_.size());
    answer_ = {
        Possible{.unwitnessed = "none of the events that were looked at can meet because of what was read"},
        possible_, std::nullopt};
}

bool FindingSearch::take(std::size_t combination, PropertyAnswer answer) {
    using Outcome = PropertyAnswer::Outcome;
    if (answer.outcome == Outcome::witnessed) {
        answer_ = {Witnessed{std::move(answer.schedule), answer.by}, searches_[combination].property(),
                   answer.by};
        return true;
    }
    if (answer.outcome == Outcome::open) {
        answer_.verdict = Possible{.unwitnessed = std::move(answer.why)};
        return false;
    }
    refuted_[combination] = std::move(answer);
    if (!all_refuted()) return false;
    // Values had a part in it, for the feasible one at least.
    const auto told = std::ranges::find_if(refuted_, [](const auto& one) { return one->by_data; });
    const PropertyAnswer& why = told == refuted_.end() ? *refuted_.front() : **told;
    answer_ = {Refuted{why.by_data ? Filter::data : Filter::causality_graph, why.why}, possible_, why.by};
    return true;
}

bool FindingSearch::all_refuted() const {
    return all_ && std::ranges::all_of(refuted_, [](const auto& answer) { return answer.has_value(); });
}

WitnessAnswer FindingSearch::without_solver() {
    if (searches_.empty() && all_) {
        answer_ = {Refuted{Filter::data, "what was read puts its events in one order, wherever they occur"},
                   possible_, WitnessStage::data_order};
        return answer_;
    }
    for (std::size_t k = 0; k < searches_.size(); ++k) {
        if (searches_[k].property() != possible_ && searches_[k].infeasible()) {
            if (take(k, {.outcome = PropertyAnswer::Outcome::refuted,
                         .by = WitnessStage::linearisation,
                         .by_data = false,
                         .why = "synchronisation does not allow it"}))
                return answer_;
        } else if (take(k, searches_[k].without_backtracking())) {
            return answer_;
        }
    }
    const std::size_t dear = all_ ? searches_.size() : std::min(searches_.size(), kMaxDear);
    for (std::size_t k = 0; k < dear; ++k)
        if (!refuted_[k] && take(k, searches_[k].with_backtracking())) return answer_;
    if (std::ranges::any_of(refuted_, [](const auto& answer) { return answer && answer->by_data; }))
        answer_.verdict =
            Possible{"some of the events behind it cannot meet because of what was read; others "
                     "were not tried"};
    return answer_;
}

WitnessAnswer FindingSearch::with_solver(std::size_t& queries) {
    const std::size_t dear = all_ ? searches_.size() : std::min(searches_.size(), kMaxDear);
    for (std::size_t k = 0; k < dear; ++k) {
        if (refuted_[k]) continue;
        ++queries;
        if (take(k, searches_[k].with_solver())) break;
    }
    return answer_;
}

} // namespace heddle
