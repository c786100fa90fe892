#include "analysis/witness/access_groups.h"

#include <algorithm>

namespace heddle {

namespace {

constexpr std::size_t kMaxAccesses = std::size_t{1} << 20U;

} // namespace

AccessGroups::AccessGroups(const Trace& trace, const RunIndex& index, const DataOrder& order,
                           const PhaseOne& locks, VarId variable) {
    GrowingMap group_of;
    std::size_t walked = 0;
    for (EventId at = index.last_access(variable); at.valid(); at = index.access_before(at)) {
        if (++walked > kMaxAccesses) {
            complete_ = false;
            break;
        }
        const DataOrder::Place access = order.place(trace, at);
        const PlaceId place = trace.place_for_people(trace[at].stack());
        const LocksetId held = locks.profiles().lockset_id(locks.profile_before(access.thread, at));
        const std::uint32_t number = group_of.find_or_insert({place.value, access.thread.value, held.value},
                                                             static_cast<std::uint32_t>(groups_.size()));
        if (number == groups_.size()) groups_.push_back({place, access.thread, held, {}, {}});
        groups_[number].accesses.push_back(access);
        const auto stretch = index.stretch_at(access.thread, at);
        const auto marked = index.marked_at(access.thread, at);
        groups_[number].since.push_back(
            std::min({at, stretch ? stretch->acquire : at, marked ? marked->acquire : at}));
    }
    for (AccessGroup& group : groups_) {
        std::ranges::reverse(group.accesses);
        std::ranges::reverse(group.since);
    }
}

std::vector<const AccessGroup*> AccessGroups::at(PlaceId place) const {
    std::vector<const AccessGroup*> result;
    for (const AccessGroup& group : groups_)
        if (group.place == place) result.push_back(&group);
    return result;
}

} // namespace heddle
