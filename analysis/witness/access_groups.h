// All accesses of one variable, by place of the program, thread and locks held: what is alike in everything
// but the time at which it happens. O(accesses) to make.
#pragma once

#include "analysis/interner.h"
#include "analysis/phase_one.h"
#include "analysis/witness/data_order.h"
#include "analysis/witness/run_index.h"
#include "traces/trace.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace heddle {

struct AccessGroup {
    PlaceId place;
    ThreadId thread;
    LocksetId locks;
    std::vector<DataOrder::Place> accesses; ///< in order
    /// Of each of them: where the sections and marked blocks begin that it lies in, or the access itself.
    /// What comes before that is in no transaction with it.
    std::vector<EventId> since;
};

class AccessGroups {
  public:
    /// `locks`: phase I, shard 0.
    AccessGroups(const Trace& trace, const RunIndex& index, const DataOrder& order, const PhaseOne& locks,
                 VarId variable);

    /// Of a place of the program.
    [[nodiscard]] std::vector<const AccessGroup*> at(PlaceId place) const;
    /// False: there were too many, and the first ones of the run are left out.
    [[nodiscard]] bool complete() const { return complete_; }

  private:
    std::vector<AccessGroup> groups_;
    bool complete_ = true;
};

} // namespace heddle
