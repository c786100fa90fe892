#include "analysis/candidate_search.h"

#include <algorithm>
#include <utility>

namespace heddle {

namespace {

/// Enough chains followed at once to hide what each of them waits for.
constexpr std::size_t kVariablesAtOnce = 16;

/// Rows, each of which leads to an older one.
struct Chain {
    std::uint32_t at = kNoTarget;
    std::uint32_t stop = kNoTarget; ///< known already
    std::vector<std::uint32_t>* rows = nullptr;
};

/// Follows all of them in step: the memory of one is on its way while others are looked at.
template<typename Next>
void follow(std::span<Chain> chains, Next&& next) {
    bool more = true;
    while (std::exchange(more, false)) {
        for (Chain& chain : chains) {
            if (chain.at == kNoTarget || chain.at == chain.stop) continue;
            chain.rows->push_back(chain.at);
            chain.at = next(chain.at);
            more = true;
        }
    }
}

} // namespace

void CandidateSearch::search() {
    with_open_.clear();
    const auto [settled, open] = accesses_.sets();
    std::vector<VarId> changed = accesses_.take_changed();
    // Most variables of a run may belong to one thread: nothing need be made of them.
    std::erase_if(changed, [&, settled = settled, open = open](VarId id) {
        return !settled->cells.shared(id) && !open->cells.newest(id).valid();
    });
    if (!changed.empty() && changed.back().value >= variables_.size())
        variables_.resize(changed.back().value + std::size_t{1});
    for (std::span<const VarId> rest = changed; !rest.empty();) {
        const auto batch = rest.first(std::min(rest.size(), kVariablesAtOnce));
        rest = rest.subspan(batch.size());
        search(batch);
    }
}

void CandidateSearch::search(std::span<const VarId> batch) {
    const auto [settled, open] = accesses_.sets();
    std::vector<Variable*> variables;
    for (const VarId id : batch) {
        if (!variables_[id.value]) variables_[id.value] = std::make_unique<Variable>();
        variables.push_back(variables_[id.value].get());
    }
    gather_news(batch, variables, *settled);
    for (std::size_t i = 0; i < batch.size(); ++i) {
        add(news_[i], *settled, 0, *variables[i]);
        variables[i]->last_cell = settled->cells.newest(batch[i]);
        variables[i]->last_pair = settled->pairs.newest(batch[i]);
        variables[i]->last_inferred = settled->inferred.newest(batch[i]);
        if (!open->cells.newest(batch[i]).valid()) continue;
        variables[i] = &with_open_.emplace(batch[i], *variables[i]).first->second;
        variables[i]->last_cell = {};
        variables[i]->last_pair = kNoTarget;
        variables[i]->last_inferred = kNoTarget;
    }
    gather_news(batch, variables, *open);
    for (std::size_t i = 0; i < batch.size(); ++i) {
        add(news_[i], *open, CellLookup::kSecond, *variables[i]);
        Found found{.races = variables[i]->races.numbers(),
                    .violations = variables[i]->violations.numbers(),
                    .inferred = {},
                    .complete = variables[i]->races.complete() && variables[i]->violations.complete()};
        for (const AtomicityCandidates& inferred : variables[i]->inferred) {
            found.inferred = inferred.numbers();
            found.complete = found.complete && inferred.complete();
        }
        if (found.races.counts.total == 0 && found.violations.counts.total == 0 &&
            found.inferred.counts.total == 0 && found.complete) {
            found_.erase(batch[i]);
        } else {
            found_.insert_or_assign(batch[i], found);
        }
    }
}

void CandidateSearch::gather_news(std::span<const VarId> batch, std::span<Variable* const> variables,
                                  const PhaseOne::Sets& sets) {
    news_.resize(batch.size());
    std::vector<Chain> cells;
    std::vector<Chain> pairs;
    std::vector<Chain> inferred;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        news_[i].cells.clear();
        news_[i].pairs.clear();
        news_[i].inferred.clear();
        cells.push_back({sets.cells.newest(batch[i]).value, variables[i]->last_cell.value, &news_[i].cells});
        pairs.push_back({sets.pairs.newest(batch[i]), variables[i]->last_pair, &news_[i].pairs});
        inferred.push_back({sets.inferred.newest(batch[i]), variables[i]->last_inferred, &news_[i].inferred});
    }
    follow(cells, [&](std::uint32_t cell) {
        const CellId next = sets.cells[CellId{cell}].next;
        if (next.valid()) __builtin_prefetch(&sets.cells[next]);
        return next.value;
    });
    follow(pairs, [&](std::uint32_t pair) {
        const std::uint32_t next = sets.pairs.all()[pair].next;
        if (next != kNoTarget) __builtin_prefetch(&sets.pairs.all()[next]);
        return next;
    });
    follow(inferred, [&](std::uint32_t pair) { return sets.inferred.all()[pair].next; });
}

/// Cells and pairs are added in the order in which phase I found them, whenever it is asked.
void CandidateSearch::add(News& news, const PhaseOne::Sets& sets, std::uint32_t offset, Variable& variable) {
    const CellLookup cells = this->cells();
    const RaceCandidates::Context races{cells, order_, accesses_.profiles(), wanted_.limits};
    const AtomicityCandidates::Context violations{cells, order_, accesses_, wanted_.limits};
    variable.rows.expect(news.cells.size());
    const auto is_due = [&](const std::vector<std::uint32_t>& waiting,
                            const GrowingTable<TransactionPair>& all) {
        return !waiting.empty() &&
               (news.cells.empty() || news.cells.back() >= all[waiting.back()].cells_before);
    };
    while (!news.cells.empty() || !news.pairs.empty() || !news.inferred.empty()) {
        if (is_due(news.inferred, sets.inferred.all())) {
            const std::uint32_t number = news.inferred.back();
            news.inferred.pop_back();
            if (!wanted_.atomicity) continue;
            if (variable.inferred.empty()) variable.inferred.emplace_back(true);
            variable.inferred.front().add(violations, variable.rows, sets.inferred.all()[number],
                                          number + offset);
        } else if (!is_due(news.pairs, sets.pairs.all())) {
            const CellId cell{news.cells.back() + offset};
            news.cells.pop_back();
            const std::uint32_t row = variable.rows.add(cells, cell, accesses_.profiles());
            if (wanted_.races) variable.races.add(races, variable.rows, row, cell);
            if (!wanted_.atomicity) continue;
            variable.violations.add(violations, variable.rows, row);
            for (AtomicityCandidates& inferred : variable.inferred)
                inferred.add(violations, variable.rows, row);
        } else {
            const std::uint32_t number = news.pairs.back();
            news.pairs.pop_back();
            TransactionPair pair = sets.pairs.all()[number];
            pair.first_cell.value += offset;
            pair.second_cell.value += offset;
            if (wanted_.atomicity) variable.violations.add(violations, variable.rows, pair, number + offset);
        }
    }
}

const CandidateSearch::Variable& CandidateSearch::searched(VarId id) const {
    const auto with_open = with_open_.find(id);
    return with_open != with_open_.end() ? with_open->second : *variables_[id.value];
}

std::vector<Candidate> CandidateSearch::races(VarId id) {
    const CellLookup cells = this->cells();
    return searched(id).races.list({cells, order_, accesses_.profiles(), wanted_.limits}, id);
}

std::vector<Candidate> CandidateSearch::violations(VarId id) {
    const CellLookup cells = this->cells();
    return searched(id).violations.list({cells, order_, accesses_, wanted_.limits}, id);
}

std::vector<Candidate> CandidateSearch::inferred(VarId id) {
    const CellLookup cells = this->cells();
    const Variable& variable = searched(id);
    if (variable.inferred.empty()) return {};
    return variable.inferred.front().list({cells, order_, accesses_, wanted_.limits}, id);
}

std::vector<Property> CandidateSearch::samples(const Candidate& candidate) {
    const Variable& variable = searched(VarId{candidate.key.parts.front()});
    const CellLookup cells = this->cells();
    if (candidate.key.kind == FindingKind::race)
        return variable.races.samples({cells, order_, accesses_.profiles(), wanted_.limits}, candidate.entry);
    const AtomicityCandidates& violations =
        intent_of(candidate.key) == Intent::inferred ? variable.inferred.front() : variable.violations;
    return violations.samples({cells, order_, accesses_, wanted_.limits}, candidate.entry);
}

} // namespace heddle
