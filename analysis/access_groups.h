// The accesses to shared variables, grouped so that all members of a group behave alike in every analysis:
// same variable, thread, kind, bytes, place and lock profile. Within a group, one part for each segment of
// the hard order. Work on candidates is bounded by groups, never by events squared.
//
// One pass, O(events); memory by groups and parts.
#pragma once

#include "analysis/hard_order.h"
#include "analysis/lock_profiles.h"
#include "traces/trace.h"

#include <cstdint>
#include <vector>

namespace heddle {

struct GroupPart {
    EventId first;           ///< represents the others
    std::uint32_t index = 0; ///< of `first` within its thread
    SegmentId segment;
    std::uint32_t count = 0; ///< accesses in this part
};

struct AccessGroup {
    VarId variable;
    ThreadId thread;
    bool reads = false;
    bool writes = false;
    bool atomic = false;
    ByteRange bytes;
    PlaceId place; ///< may be invalid
    ProfileId profile;
    std::vector<GroupPart> parts; ///< ascending
};

/// By variable: whether more than one thread accesses it.
[[nodiscard]] std::vector<bool> shared_variables(const Trace& trace);

/// Groups of variables that more than one thread accesses, ascending by variable, then by first access.
[[nodiscard]] std::vector<AccessGroup> group_accesses(const Trace& trace, const HardOrder& order,
                                                      LockProfiles& profiles);

} // namespace heddle
