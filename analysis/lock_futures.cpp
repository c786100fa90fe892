#include "analysis/lock_futures.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace heddle {

LockFutures::LockFutures() {
    static_cast<void>(futures_.intern({}));
}

FutureId LockFutures::standing_at(const LockProfiles& profiles, ProfileId profile) {
    std::vector<Held> rows{{LockId{}, LockMode::exclusive, 1, profiles.histories().none()}};
    for (const LockProfiles::Held& held : profiles.held(profile)) {
        rows.push_back({held.lock, held.mode, 1, profiles.histories().none()});
    }
    return intern(rows);
}

FutureId LockFutures::after(LockHistories& histories, FutureId future, EventKind kind, LockId lock) {
    const GrowingMap::Key key{future.value, lock.value, static_cast<std::uint32_t>(kind)};
    if (const std::uint32_t known = transitions_.find(key); known != GrowingMap::kAbsent)
        return FutureId{known};

    const std::span<const Held> before = futures_[future.value];
    std::vector<Held> rows(before.begin(), before.end());
    for (Held& row : rows) {
        if (row.open == 0) continue;
        if (acquires_lock(kind)) {
            row.until = histories.with(row.until, {lock, lock_mode(kind)});
        } else if (row.lock == lock) {
            row.open = 0;
        }
    }
    const FutureId result = intern(rows);
    transitions_.insert(key, result.value);
    return result;
}

void LockFutures::step_back(LockHistories& histories, std::vector<Held>& held, EventKind kind, LockId lock) {
    if (acquires_lock(kind)) {
        std::erase_if(held, [&](const Held& one) { return one.lock == lock; });
        for (Held& one : held) one.until = histories.with(one.until, {lock, lock_mode(kind)});
    } else {
        held.insert(std::ranges::lower_bound(held, lock, {}, &Held::lock),
                    Held{lock, lock_mode(kind), 0, histories.none()});
    }
}

bool LockFutures::completable(const LockHistories& histories, FutureId transaction, FutureId remote) {
    if (transaction == unknown() || remote == unknown()) return true;
    const GrowingMap::Key key{transaction.value, remote.value};
    if (const std::uint32_t known = verdicts_.find(key); known != GrowingMap::kAbsent) return known != 0;
    const std::span<const Held> mine = futures_[transaction.value];
    const bool stuck = std::ranges::any_of(futures_[remote.value], [&](const Held& other) {
        return std::ranges::any_of(mine, [&](const Held& one) {
            if (!histories.asked_for(one.until, other.lock, other.mode)) return false;
            if (other.open != 0) return true;
            return one.lock.valid() && histories.asked_for(other.until, one.lock, one.mode);
        });
    });
    verdicts_.insert(key, stuck ? 0U : 1U);
    return !stuck;
}

namespace {

std::uint64_t order(LockId outer, LockId inner) {
    return std::uint64_t{outer.value} << 32U | inner.value;
}

using LockOrders = std::unordered_set<std::uint64_t>;

LockOrders orders_of(const LockProfiles& profiles, ThreadId thread) {
    LockOrders result;
    LockOrders done;
    for (const ProfileId profile : profiles.visited(thread)) {
        for (const LockProfiles::Held& held : profiles.held(profile)) {
            if (!done.insert(std::uint64_t{held.lock.value} << 32U | held.since.value).second) continue;
            for (const LockUse& use : profiles.histories()[held.since])
                result.insert(order(held.lock, use.lock));
        }
    }
    return result;
}

} // namespace

std::vector<bool> threads_with_reversed_locks(const LockProfiles& profiles, std::size_t threads) {
    std::unordered_map<std::uint64_t, ThreadId> first_by;
    std::unordered_set<std::uint64_t> by_several;
    std::vector<LockOrders> orders(threads);
    for (std::uint32_t index = 0; index < threads; ++index) {
        const ThreadId thread{index};
        orders[index] = orders_of(profiles, thread);
        for (const std::uint64_t one : orders[index]) {
            const auto [at, added] = first_by.emplace(one, thread);
            if (!added && at->second != thread) by_several.insert(one);
        }
    }
    std::vector<bool> result(threads, false);
    for (std::uint32_t index = 0; index < threads; ++index) {
        result[index] = std::ranges::any_of(orders[index], [&](std::uint64_t one) {
            const std::uint64_t reversed = one << 32U | one >> 32U;
            const auto at = first_by.find(reversed);
            return at != first_by.end() && (at->second != ThreadId{index} || by_several.contains(reversed));
        });
    }
    return result;
}

std::vector<bool> threads_that_may_block(const LockProfiles& profiles, std::size_t threads) {
    std::vector<bool> result = threads_with_reversed_locks(profiles, threads);
    std::unordered_set<std::uint32_t> kept; // locks never given back
    for (std::uint32_t index = 0; index < threads; ++index) {
        for (const LockUse& use : profiles.lockset(profiles.current(ThreadId{index})))
            kept.insert(use.lock.value);
    }
    if (kept.empty()) return result;
    for (std::uint32_t index = 0; index < threads; ++index) {
        if (result[index]) continue;
        result[index] = std::ranges::any_of(profiles.visited(ThreadId{index}), [&](ProfileId profile) {
            return std::ranges::any_of(profiles.lockset(profile),
                                       [&](const LockUse& use) { return kept.contains(use.lock.value); });
        });
    }
    return result;
}

} // namespace heddle
