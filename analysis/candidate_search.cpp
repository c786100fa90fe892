#include "analysis/candidate_search.h"

#include <utility>

namespace heddle {

void CandidateSearch::search() {
    const auto [settled, open] = accesses_.sets();
    with_open_.clear();
    for (const VarId id : accesses_.take_changed()) {
        const bool undecided = open->cells.newest(id).valid();
        // Most variables of a run may belong to one thread: nothing need be made of them.
        if (!settled->cells.shared(id) && !undecided) continue;
        if (id.value >= variables_.size()) variables_.resize(id.value + std::size_t{1});
        if (!variables_[id.value]) variables_[id.value] = std::make_unique<Variable>();
        Variable& variable = *variables_[id.value];
        add_new(id, *settled, 0, variable);
        Found found;
        if (undecided) {
            Variable& with_open = with_open_.emplace(id, variable).first->second;
            with_open.last_cell = {};
            with_open.last_pair = kNoTarget;
            add_new(id, *open, CellLookup::kSecond, with_open);
            found = list(id, with_open);
        } else {
            found = list(id, variable);
        }
        if (found.races.empty() && found.violations.empty() && found.complete) {
            found_.erase(id);
        } else {
            found_.insert_or_assign(id, std::move(found));
        }
    }
}

/// Cells and pairs are added in the order in which phase I found them, whenever it is asked.
void CandidateSearch::add_new(VarId id, const PhaseOne::Sets& sets, std::uint32_t offset,
                              Variable& variable) {
    new_cells_.clear();
    new_pairs_.clear();
    for (CellId cell = sets.cells.newest(id); cell.valid() && cell != variable.last_cell;
         cell = sets.cells[cell].next)
        new_cells_.push_back(cell);
    for (std::uint32_t pair = sets.pairs.newest(id); pair != kNoTarget && pair != variable.last_pair;
         pair = sets.pairs.all()[pair].next)
        new_pairs_.push_back(pair);
    variable.last_cell = sets.cells.newest(id);
    variable.last_pair = sets.pairs.newest(id);

    const CellLookup cells(accesses_.sets()[0]->cells, accesses_.sets()[1]->cells);
    const RaceCandidates::Context races{cells, order_, accesses_.profiles(), wanted_.limits};
    const AtomicityCandidates::Context violations{cells, order_, accesses_, wanted_.limits};
    while (!new_cells_.empty() || !new_pairs_.empty()) {
        const bool cell_first = !new_cells_.empty() &&
                                (new_pairs_.empty() ||
                                 new_cells_.back().value < sets.pairs.all()[new_pairs_.back()].cells_before);
        if (cell_first) {
            const CellId cell{new_cells_.back().value + offset};
            new_cells_.pop_back();
            const std::uint32_t row = variable.rows.add(cells, cell, accesses_.profiles());
            if (wanted_.races) variable.races.add(races, variable.rows, row, cell);
            if (wanted_.atomicity) variable.violations.add(violations, variable.rows, row);
        } else {
            const std::uint32_t number = new_pairs_.back();
            new_pairs_.pop_back();
            TransactionPair pair = sets.pairs.all()[number];
            pair.first_cell.value += offset;
            pair.second_cell.value += offset;
            if (wanted_.atomicity) variable.violations.add(violations, variable.rows, pair, number + offset);
        }
    }
}

std::vector<Property> CandidateSearch::samples(const Candidate& candidate) {
    const VarId id{candidate.key.parts.front()};
    const auto with_open = with_open_.find(id);
    const Variable& variable = with_open != with_open_.end() ? with_open->second : *variables_[id.value];
    const CellLookup cells(accesses_.sets()[0]->cells, accesses_.sets()[1]->cells);
    if (candidate.key.kind == FindingKind::race)
        return variable.races.samples({cells, order_, accesses_.profiles(), wanted_.limits}, candidate.entry);
    return variable.violations.samples({cells, order_, accesses_, wanted_.limits}, candidate.entry);
}

CandidateSearch::Found CandidateSearch::list(VarId id, const Variable& variable) {
    Found found;
    if (!variable.rows.shared()) return found;
    const CellLookup cells(accesses_.sets()[0]->cells, accesses_.sets()[1]->cells);
    variable.races.list({cells, order_, accesses_.profiles(), wanted_.limits}, id, found.races,
                        found.race_counts);
    variable.violations.list({cells, order_, accesses_, wanted_.limits}, id, found.violations,
                             found.violation_counts);
    found.complete = variable.races.complete() && variable.violations.complete();
    return found;
}

} // namespace heddle
