#include "analysis/access_cells.h"

#include "traces/hash.h"

#include <utility>

namespace heddle {

namespace {

/// Of an access or a cell.
std::uint64_t hash_of_spot(const auto& access) {
    return hash_mix(hash_mix(access.variable.value, access.shape.bits()),
                    std::uint64_t{access.place.value} << 32U | access.segment.value);
}

std::uint64_t hash_of(const Access& access) {
    return hash_mix(hash_of_spot(access), std::uint64_t{access.profile.value} << 32U | access.future.value);
}

} // namespace

void AccessCells::add(std::span<Access> accesses) {
    hashes_.clear();
    for (const Access& access : accesses) {
        hashes_.push_back(hash_of(access));
        index_.prefetch(hashes_.back());
    }
    for (const std::uint64_t hash : hashes_) {
        if (const std::uint32_t row = index_.likely(hash); row != HashIndex::kAbsent)
            __builtin_prefetch(&cells_[row], 1);
    }
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        Access& access = accesses[i];
        const std::uint32_t known =
            index_.find(hashes_[i], [&](std::uint32_t row) { return cells_[row].holds(access); });
        access.cell = known != HashIndex::kAbsent ? CellId{known} : create(access, hashes_[i]);
        AccessCell& cell = cells_[access.cell.value];
        ++cell.count;
        cell.scattered = cell.scattered || access.sync != cell.sync;
        if (Variable& variable = variables_[access.variable.value]; !variable.touched) {
            variable.touched = true;
            touched_.push_back(access.variable);
        }
    }
}

CellId AccessCells::create(const Access& access, std::uint64_t hash) {
    if (access.variable.value >= variables_.size()) variables_.resize(access.variable.value + std::size_t{1});
    Variable& variable = variables_[access.variable.value];
    const CellId id{cells_.size()};
    if (variable.newest.valid() && (*this)[variable.newest].shape.thread() != access.shape.thread())
        variable.shared = true;
    writes_ += access.shape.writes() ? 1U : 0U;
    cells_.push_back({.variable = access.variable,
                      .shape = access.shape,
                      .place = access.place,
                      .profile = access.profile,
                      .future = access.future,
                      .segment = access.segment,
                      .first = access.event,
                      .index = access.index,
                      .sync = access.sync,
                      .next = variable.newest});
    variable.newest = id;
    index_.insert(hash, id.value);
    return id;
}

CellId AccessCells::find_spot(CellId id) {
    const AccessCell& cell = cells_[id.value];
    const std::uint64_t hash = hash_of_spot(cell);
    const std::uint32_t known = spots_.find(hash, [&](std::uint32_t row) {
        const AccessCell& other = cells_[row];
        return cell.variable == other.variable && cell.shape == other.shape && cell.place == other.place &&
               cell.segment == other.segment;
    });
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
