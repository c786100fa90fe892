#include "analysis/witness/combinations.h"

#include "analysis/witness/aim.h"
#include "analysis/witness/deadlock_combinations.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <tuple>
#include <utility>

namespace heddle {

namespace {

constexpr std::size_t kMaxCombinations = 100; ///< that nothing rules out
constexpr std::size_t kMaxPairs = 4096;       ///< of accesses in one transaction
constexpr std::uint32_t kMaxSection = 1000;   ///< events of a thread between these

std::uint32_t span_of(const Property& property) {
    return last_event(property).value - latest_base(property).value;
}

bool conflict(const EventView& a, const EventView& b) {
    return a.thread() != b.thread() && a.target() == b.target() && a.bytes().overlaps(b.bytes()) &&
           (writes_memory(a.kind()) || writes_memory(b.kind()));
}

/// Those whose events are close together in the run first, each once.
void nearest_first(std::vector<Property>& properties) {
    struct Ranked {
        std::uint32_t span = 0;
        std::vector<EventId> events; ///< ascending; deadlocks with the same requests are the same state
        std::size_t number = 0;
    };
    std::vector<Ranked> ranking;
    ranking.reserve(properties.size());
    for (const Property& property : properties) {
        ranking.push_back({span_of(property), events_of(property), ranking.size()});
        std::ranges::sort(ranking.back().events);
    }
    std::ranges::sort(ranking, {},
                      [](const Ranked& one) { return std::tie(one.span, one.events, one.number); });
    std::vector<Property> sorted;
    sorted.reserve(properties.size());
    for (std::size_t k = 0; k < ranking.size(); ++k)
        if (k == 0 || ranking[k].events != ranking[k - 1].events)
            sorted.push_back(std::move(properties[ranking[k].number]));
    properties = std::move(sorted);
}

/// Whether a lock is in both, and not only shared.
bool exclude(std::span<const LockUse> a, std::span<const LockUse> b) {
    return std::ranges::any_of(a, [&](const LockUse& use) {
        const auto other = std::ranges::find(b, use.lock, &LockUse::lock);
        return other != b.end() && (use.mode == LockMode::exclusive || other->mode == LockMode::exclusive);
    });
}

} // namespace

/// What has to come first grows along a thread, so they are one stretch of it.
template<typename Visit>
bool CombinationFinder::for_each_concurrent(ThreadId thread, std::uint32_t from, std::uint32_t to,
                                            const std::vector<Access>& others, Visit visit) const {
    const ThreadId other = others.front().thread;
    const std::uint32_t taken = order_.needed(thread, from, other);
    auto access = std::ranges::lower_bound(others, taken, {}, &Access::index);
    for (; access != others.end() && order_.needed(other, access->index, thread) <= to; ++access)
        if (!visit(*access)) return false;
    return true;
}

void CombinationFinder::find_races(const Race& race, const AccessGroups& groups, Combinations& result) const {
    const auto add = [&](const Access& one, const Access& other) {
        const EventView a = trace_[std::min(one.event, other.event)];
        const EventView b = trace_[std::max(one.event, other.event)];
        const bool atomic = traits(a.kind()).atomic && traits(b.kind()).atomic;
        if (!atomic && conflict(a, b)) result.properties.emplace_back(Race{a.id(), b.id()});
        return result.properties.size() < kMaxCombinations;
    };
    const bool one_place = place_of(race.first) == place_of(race.second);
    const LockProfiles& profiles = locks_.profiles();
    result.all = groups.complete();
    for (const AccessGroup* one : groups.at(place_of(race.first))) {
        for (const AccessGroup* other : groups.at(place_of(race.second))) {
            if (one->thread == other->thread || (one_place && one->thread > other->thread)) continue;
            if (exclude(profiles.lockset(one->locks), profiles.lockset(other->locks))) continue;
            const bool swapped = one->accesses.size() > other->accesses.size();
            const AccessGroup& few = swapped ? *other : *one;
            const AccessGroup& many = swapped ? *one : *other;
            for (const Access& access : few.accesses) {
                const auto visit = [&](const Access& partner) { return add(access, partner); };
                if (for_each_concurrent(access.thread, access.index, access.index, many.accesses, visit))
                    continue;
                result.all = false;
                return;
            }
        }
    }
}

/// With the thread's accesses at the first place that may be in one transaction with one at the second.
void CombinationFinder::add_pairs(const Access& second, EventId since,
                                  std::span<const AccessGroup* const> firsts, Pairs& pairs) const {
    if (since == second.event) return;
    for (const AccessGroup* group : firsts) {
        if (group->thread != second.thread) continue;
        auto first = std::ranges::lower_bound(group->accesses, since, {}, &Access::event);
        for (; first != group->accesses.end() && first->event < second.event; ++first) {
            if (pairs.found.size() >= kMaxPairs || second.index - first->index > kMaxSection) {
                pairs.all = false;
            } else {
                add_pair(*first, second, *group, pairs);
            }
        }
    }
}

void CombinationFinder::add_pair(const Access& first, const Access& second, const AccessGroup& firsts,
                                 Pairs& pairs) const {
    const auto held = locks_.profiles().lockset(firsts.locks);
    std::vector<LockUse> kept(held.begin(), held.end());
    bool one_block = index_.marked_at(first.thread, first.event).has_value();
    int blocks = 0;
    const auto& events = trace_.events_of(first.thread);
    for (std::uint32_t k = first.index; k < second.index && (!kept.empty() || one_block); ++k) {
        const EventView event = trace_[EventId{events[k]}];
        switch (event.kind()) {
        case EventKind::release:
        case EventKind::release_shared:
            std::erase_if(kept, [&](const LockUse& use) { return use.lock == event.lock(); });
            break;
        case EventKind::txn_begin: ++blocks; break;
        case EventKind::txn_end: one_block = one_block && --blocks >= 0; break;
        default: break;
        }
    }
    const auto stretch = index_.stretch_at(first.thread, first.event);
    if (one_block || (!kept.empty() && !stretch->waits)) {
        pairs.found.push_back({first, second, std::move(kept)});
    } else if (!kept.empty()) {
        pairs.all = false; // whether a section that is waited in is a transaction depends on where
    }
}

CombinationFinder::Pairs CombinationFinder::transactions(const AtomicityViolation& violation,
                                                         const AccessGroups& groups) const {
    Pairs pairs{.found = {}, .all = groups.complete() && !given_transactions_};
    const std::vector<const AccessGroup*> firsts = groups.at(place_of(violation.first));
    for (const AccessGroup* seconds : groups.at(place_of(violation.second)))
        for (std::size_t k = 0; k < seconds->accesses.size(); ++k)
            add_pairs(seconds->accesses[k], seconds->since[k], firsts, pairs);
    return pairs;
}

/// Of each write its latest read, as phase I paired them (inferred_pairs.h).
CombinationFinder::Pairs CombinationFinder::inferred(const AtomicityViolation& violation,
                                                     const AccessGroups& groups) const {
    Pairs pairs{.found = {}, .all = groups.complete() && source_ != nullptr};
    if (source_ == nullptr) return pairs;
    const std::vector<const AccessGroup*> firsts = groups.at(place_of(violation.first));
    for (const AccessGroup* seconds : groups.at(place_of(violation.second)))
        for (const Access& second : seconds->accesses) add_inferred(second, firsts, pairs);
    return pairs;
}

void CombinationFinder::add_inferred(const Access& second, std::span<const AccessGroup* const> firsts,
                                     Pairs& pairs) const {
    const EventView write = trace_[second.event];
    if (!writes_memory(write.kind())) return;
    const Access* latest = nullptr;
    const AccessGroup* group = nullptr;
    for (const AccessGroup* reads : firsts) {
        if (reads->thread != second.thread) continue;
        auto read = std::ranges::lower_bound(reads->accesses, second.event, {}, &Access::event);
        while (read != reads->accesses.begin()) {
            --read;
            if (latest != nullptr && read->event < latest->event) break;
            const EventView event = trace_[read->event];
            if (!reads_memory(event.kind()) || !event.bytes().overlaps(write.bytes()) ||
                !source_->inference(event.stack(), write.stack()))
                continue;
            latest = &*read;
            group = reads;
            break;
        }
    }
    if (latest == nullptr) return;
    if (pairs.found.size() >= kMaxPairs || second.index - latest->index > kMaxSection) {
        pairs.all = false;
        return;
    }
    const auto held = locks_.profiles().lockset(group->locks);
    std::vector<LockUse> kept(held.begin(), held.end());
    const auto& events = trace_.events_of(second.thread);
    for (std::uint32_t k = latest->index; k < second.index && !kept.empty(); ++k) {
        const EventView event = trace_[EventId{events[k]}];
        if (event.kind() == EventKind::release || event.kind() == EventKind::release_shared)
            std::erase_if(kept, [&](const LockUse& use) { return use.lock == event.lock(); });
    }
    pairs.found.push_back({*latest, second, std::move(kept)});
}

void CombinationFinder::find_violations(const AtomicityViolation& violation, const Pairs& pairs,
                                        const AccessGroups& groups, Combinations& result) const {
    result.all = pairs.all;
    const auto add = [&](const Pair& pair, const Access& remote) {
        const EventView first = trace_[pair.first.event];
        const EventView between = trace_[remote.event];
        const EventView second = trace_[pair.second.event];
        const auto pattern = atomicity_pattern(first.kind(), between.kind(), second.kind());
        if (pattern && conflict(first, between) && conflict(between, second))
            result.properties.emplace_back(
                AtomicityViolation{first.id(), between.id(), second.id(), *pattern});
        return result.properties.size() < kMaxCombinations;
    };
    const std::vector<const AccessGroup*> remotes = groups.at(place_of(violation.remote));
    for (const Pair& pair : pairs.found) {
        for (const AccessGroup* others : remotes) {
            if (others->thread == pair.first.thread ||
                exclude(pair.locks, locks_.profiles().lockset(others->locks)))
                continue;
            const auto visit = [&](const Access& remote) { return add(pair, remote); };
            if (for_each_concurrent(pair.first.thread, pair.first.index + 1, pair.second.index,
                                    others->accesses, visit))
                continue;
            result.all = false;
            return;
        }
    }
}

Combinations CombinationFinder::find(const Candidate& candidate, const Property& possible,
                                     const Occurrences& occurrences, std::size_t early) const {
    Combinations result;
    if (const auto* race = std::get_if<Race>(&possible)) {
        find_races(*race, *occurrences.accesses, result);
    } else if (const auto* violation = std::get_if<AtomicityViolation>(&possible)) {
        const AccessGroups& groups = *occurrences.accesses;
        // Of what is marked in the source only the candidate's own ways are known.
        switch (intent_of(candidate.key)) {
        case Intent::recorded:
            find_violations(*violation, transactions(*violation, groups), groups, result);
            break;
        case Intent::inferred:
            find_violations(*violation, inferred(*violation, groups), groups, result);
            break;
        case Intent::marked: break;
        }
    } else {
        find_deadlock_combinations(candidate.key, *occurrences.requests, order_, result);
    }
    std::vector<Property> samples = candidate.samples;
    std::erase_if(samples, [&](const Property& sample) { return !order_.allows(trace_, sample); });
    result.properties.insert(result.properties.begin(), samples.begin(), samples.end());
    nearest_first(result.properties);
    const auto known = std::ranges::find(result.properties, possible);
    if (known != result.properties.end() &&
        known - result.properties.begin() >= static_cast<std::ptrdiff_t>(early))
        std::rotate(result.properties.begin() + static_cast<std::ptrdiff_t>(early) - 1, known, known + 1);
    return result;
}

} // namespace heddle
