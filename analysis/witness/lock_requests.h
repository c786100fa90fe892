// All moments of a run at which a thread that holds locks asks for another one: what the deadlocks behind a
// finding are made of (deadlock_combinations.h). O(lock events) to make.
#pragma once

#include "analysis/lock_profiles.h"
#include "analysis/ucg_window.h"
#include "analysis/witness/data_order.h"
#include "traces/trace.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace heddle {

struct LockRequest {
    struct Held {
        LockUse use;
        EventId since;
    };

    DataOrder::Place at; ///< the acquire that is asked for
    LockUse asks;
    std::vector<Held> held;
};

class LockRequests {
  public:
    LockRequests(const UcgContext& context, const DataOrder& order);

    /// What tells requests apart in the key of a deadlock: the place, or the lock of a trace without places.
    using Kind = std::pair<std::uint32_t, std::uint32_t>;
    /// By thread, each thread's ascending; threads without any have no row.
    using Rows = std::vector<std::vector<LockRequest>>;

    [[nodiscard]] const Rows& of(const Kind& kind) const;

  private:
    void add(const Trace& trace, const EventView& acquire, LockRequest request);

    std::map<Kind, Rows> requests_;
    Rows none_;
};

} // namespace heddle
