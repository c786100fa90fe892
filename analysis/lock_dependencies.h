// Moments at which a thread holds one lock and asks for another, grouped: alike in thread, locks, modes,
// profile, place and segment. What cycles of locks are made of (deadlocks.h).
//
// Online. O(locks held) for an acquire, one hash lookup each.
#pragma once

#include "analysis/hard_order.h"
#include "analysis/lock_profiles.h"
#include "analysis/property.h"
#include "traces/hash_index.h"
#include "traces/trace.h"

#include <cstdint>
#include <vector>

namespace heddle {

struct LockDependency {
    ThreadId thread;
    LockId held;
    LockId requested;
    bool held_shared = false;
    bool requested_shared = false;
    ProfileId profile; ///< before the request
    PlaceId place;     ///< of the request
    SegmentId segment;
    std::uint32_t index = 0; ///< of the first request within its thread
    DeadlockStep step;       ///< the first of the group
    std::uint64_t count = 0;

    /// Whether this request waits for the lock that `other` holds.
    [[nodiscard]] bool waits_for(const LockDependency& other) const {
        return requested == other.held && !(requested_shared && other.held_shared);
    }
    [[nodiscard]] bool alike(const LockDependency& other) const {
        return thread == other.thread && held == other.held && requested == other.requested &&
               profile == other.profile && place == other.place && segment == other.segment &&
               held_shared == other.held_shared && requested_shared == other.requested_shared;
    }
    [[nodiscard]] HardOrder::Position position() const { return {thread, index, segment}; }
};

class LockDependencies {
  public:
    /// A lock event of the trace, and where its thread stands before it.
    void step(const Trace& trace, const EventView& event, ProfileId before, SegmentId segment,
              std::uint32_t index);

    [[nodiscard]] const std::vector<LockDependency>& all() const { return dependencies_; }

  private:
    struct Held {
        LockId lock;
        bool shared = false;
        EventId since;
    };

    void add(const LockDependency& dependency);

    std::vector<std::vector<Held>> held_; ///< by thread
    std::vector<LockDependency> dependencies_;
    HashIndex index_;
};

} // namespace heddle
