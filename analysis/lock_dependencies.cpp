#include "analysis/lock_dependencies.h"

#include "traces/hash.h"
#include "traces/tried.h"

namespace heddle {

void LockDependencies::step(const Trace& trace, const EventView& event, ProfileId before, SegmentId segment,
                            std::uint32_t index) {
    if (event.thread().value >= held_.size()) held_.resize(event.thread().value + std::size_t{1});
    std::vector<Held>& held = held_[event.thread().value];
    if (!acquires_lock(event.kind())) {
        std::erase_if(held, [&](const Held& one) { return one.lock == event.lock(); });
        return;
    }
    const bool shared = lock_mode(event.kind()) == LockMode::shared;
    for (const Held& one : held) {
        if (was_tried(event)) break; // it would not wait
        add({.thread = event.thread(),
             .held = one.lock,
             .requested = event.lock(),
             .held_shared = one.shared,
             .requested_shared = shared,
             .profile = before,
             .place = trace.place_for_people(event.stack()),
             .segment = segment,
             .index = index,
             .step = {one.since, event.id()},
             .count = 1});
    }
    held.push_back({event.lock(), shared, event.id()});
}

void LockDependencies::add(const LockDependency& dependency) {
    std::uint64_t hash = hash_mix(dependency.thread.value,
                                  std::uint64_t{dependency.held.value} << 32U | dependency.requested.value);
    hash = hash_mix(hash, std::uint64_t{dependency.profile.value} << 32U | dependency.place.value);
    hash = hash_mix(hash, std::uint64_t{dependency.segment.value} << 2U |
                              static_cast<std::uint64_t>(dependency.requested_shared) << 1U |
                              static_cast<std::uint64_t>(dependency.held_shared));
    const std::uint32_t known =
        index_.find(hash, [&](std::uint32_t row) { return dependencies_[row].alike(dependency); });
    if (known != HashIndex::kAbsent) {
        ++dependencies_[known].count;
        return;
    }
    index_.insert(hash, static_cast<std::uint32_t>(dependencies_.size()));
    dependencies_.push_back(dependency);
}

} // namespace heddle
