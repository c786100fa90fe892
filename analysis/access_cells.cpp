#include "analysis/access_cells.h"

#include <algorithm>
#include <utility>

namespace heddle {

void AccessCells::add(std::span<Access> accesses) {
    for (const Access& access : accesses.last(std::min(accesses.size(), kAhead))) fetch(access);
    for (Access& access : accesses) {
        AccessCell* cell = nullptr;
        const std::uint32_t known = index_.find(access.hash, [&](std::uint32_t row) {
            cell = &cells_[row];
            return *cell == access.key;
        });
        if (known != HashIndex::kAbsent) {
            access.cell = CellId{known};
        } else {
            access.cell = create(access);
            cell = &cells_.back();
        }
        cell->count += access.count;
        cell->scattered = cell->scattered || access.scattered || access.sync != cell->sync;
        if (Variable& variable = variables_[access.key.variable.value]; !variable.touched) {
            variable.touched = true;
            touched_.push_back(access.key.variable);
        }
    }
}

CellId AccessCells::create(const Access& access) {
    const VarId variable_id = access.key.variable;
    if (variable_id.value >= variables_.size()) variables_.resize(variable_id.value + std::size_t{1});
    Variable& variable = variables_[variable_id.value];
    const CellId id{cells_.size()};
    const ThreadId thread = access.key.shape.thread();
    if (!variable.newest.valid()) variable.thread = thread;
    variable.shared = variable.shared || variable.thread != thread;
    writes_ += access.key.shape.writes() ? 1U : 0U;
    AccessCell cell(access);
    cell.next = std::exchange(variable.newest, id);
    cells_.push_back(cell);
    index_.insert(access.hash, id.value);
    return id;
}

CellId AccessCells::find_spot(CellId id) {
    const AccessCell& cell = cells_[id.value];
    const std::uint64_t hash = cell.hash_of_spot();
    const std::uint32_t known =
        spots_.find(hash, [&](std::uint32_t row) { return cell.same_spot(cells_[row]); });
    if (known != HashIndex::kAbsent) return CellId{known};
    spots_.insert(hash, id.value);
    return id;
}

std::vector<VarId> AccessCells::take_touched() {
    for (const VarId variable : touched_) variables_[variable.value].touched = false;
    return std::exchange(touched_, {});
}

void AccessCells::clear() {
    *this = {};
}

} // namespace heddle
