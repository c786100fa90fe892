#include "analysis/lock_profiles.h"

#include <algorithm>

namespace heddle {

namespace {

std::uint64_t bit_of(LockId lock) {
    return std::uint64_t{1} << (lock.value % 64U);
}

} // namespace

LockHistories::LockHistories() {
    static_cast<void>(sets_.intern({}));
}

HistoryId LockHistories::with(HistoryId history, LockUse use) {
    const std::span<const LockUse> known = (*this)[history];
    const auto at = std::ranges::lower_bound(known, use.lock, {}, &LockUse::lock);
    const auto offset = at - known.begin();
    const bool present = at != known.end() && at->lock == use.lock;
    if (present && at->mode >= use.mode) return history;
    if (!present && known.size() >= kMaxHistory) return history;
    std::vector<LockUse> longer(known.begin(), known.end());
    if (present) {
        longer[static_cast<std::size_t>(offset)].mode = use.mode;
    } else {
        longer.insert(longer.begin() + offset, use);
    }
    return HistoryId{sets_.intern(longer)};
}

bool LockHistories::asked_for(HistoryId history, LockId lock, LockMode held) const {
    const std::span<const LockUse> uses = (*this)[history];
    const auto at = std::ranges::lower_bound(uses, lock, {}, &LockUse::lock);
    return at != uses.end() && at->lock == lock && excludes(at->mode, held);
}

LockProfiles::LockProfiles() {
    static_cast<void>(intern({}));
}

std::span<const ProfileId> LockProfiles::visited(ThreadId thread) const {
    if (thread.value >= threads_.size()) return {};
    return threads_[thread.value].visited;
}

void LockProfiles::take(const EventView& event) {
    const std::size_t index = event.thread().value;
    if (index >= threads_.size()) threads_.resize(index + 1);
    Thread& thread = threads_[index];
    const LockId lock = event.lock();
    if (acquires_lock(event.kind())) {
        thread.stack.push_back(lock);
        thread.deepest = std::max(thread.deepest, thread.stack.size());
    } else if (const auto at = std::ranges::find(thread.stack.rbegin(), thread.stack.rend(), lock);
               at != thread.stack.rend()) {
        if (at != thread.stack.rbegin()) thread.nested = false;
        thread.stack.erase(std::next(at).base());
    }
    thread.profile = after(thread.profile, event.kind(), lock);
    const std::size_t profile = thread.profile.value;
    if (profile >= thread.seen.size()) thread.seen.resize(std::max(profile + 1, 2 * thread.seen.size()));
    if (!thread.seen[profile]) {
        thread.seen[profile] = true;
        thread.visited.push_back(thread.profile);
    }
}

ProfileId LockProfiles::after(ProfileId profile, EventKind kind, LockId lock) {
    const GrowingMap::Key key{profile.value, lock.value, static_cast<std::uint32_t>(kind)};
    if (const std::uint32_t known = transitions_.find(key); known != GrowingMap::kAbsent) {
        return ProfileId{known};
    }
    const ProfileId result = derive(profile, kind, lock);
    transitions_.insert(key, result.value);
    return result;
}

ProfileId LockProfiles::derive(ProfileId profile, EventKind kind, LockId lock) {
    const std::span<const Held> before = held(profile);
    std::vector<Held> held(before.begin(), before.end());
    const auto same_lock = [&](const Held& one) { return one.lock == lock; };
    if (acquires_lock(kind)) {
        for (Held& one : held) {
            if (one.lock != lock && held.size() < kMaxHistoryDepth)
                one.since = histories_.with(one.since, {lock, lock_mode(kind)});
        }
        if (held.size() < kMaxHeld && std::ranges::none_of(held, same_lock)) {
            held.insert(std::ranges::lower_bound(held, lock, {}, &Held::lock),
                        Held{lock, lock_mode(kind), histories_.none()});
        }
    } else {
        std::erase_if(held, same_lock);
    }
    return intern(held);
}

ProfileId LockProfiles::intern(std::span<const Held> held) {
    const std::size_t before = profiles_.size();
    const ProfileId result{profiles_.intern(held)};
    if (profiles_.size() == before) return result;
    std::vector<LockUse> lockset;
    lockset.reserve(held.size());
    Bits bits;
    for (const Held& one : held) {
        lockset.push_back({one.lock, one.mode});
        bits.held |= bit_of(one.lock);
        for (const LockUse& use : histories_[one.since]) bits.since |= bit_of(use.lock);
    }
    lockset_of_.emplace_back(locksets_.intern(lockset));
    bits_.push_back(bits);
    return result;
}

ProfileId LockProfiles::common(ProfileId a, ProfileId b) {
    std::vector<Held> both;
    for (const Held& one : held(a)) {
        const auto other = std::ranges::lower_bound(held(b), one.lock, {}, &Held::lock);
        if (other == held(b).end() || other->lock != one.lock) continue;
        both.push_back({one.lock, std::min(one.mode, other->mode), histories_.none()});
    }
    return intern(both);
}

bool LockProfiles::exact(ProfileId id) const {
    return std::ranges::none_of(held(id), [&](const Held& one) { return histories_.full(one.since); });
}

bool LockProfiles::locksets_exclude(LocksetId a, LocksetId b) const {
    const std::span<const LockUse> left = lockset(a);
    const std::span<const LockUse> right = lockset(b);
    auto l = left.begin();
    auto r = right.begin();
    while (l != left.end() && r != right.end()) {
        if (l->lock == r->lock && excludes(l->mode, r->mode)) return true;
        if (l->lock <= r->lock) {
            ++l;
        } else {
            ++r;
        }
    }
    return false;
}

bool LockProfiles::histories_exclude(ProfileId a, ProfileId b) const {
    return std::ranges::any_of(held(a), [&](const Held& mine) {
        return std::ranges::any_of(held(b), [&](const Held& other) {
            return histories_.asked_for(mine.since, other.lock, other.mode) &&
                   histories_.asked_for(other.since, mine.lock, mine.mode);
        });
    });
}

LockVerdict LockProfiles::look_closer(ProfileId a, ProfileId b) {
    if (locksets_exclude(lockset_id(a), lockset_id(b))) return LockVerdict::excluded_by_lockset;
    if (b < a) std::swap(a, b);
    const GrowingMap::Key key{a.value, b.value};
    std::uint32_t excluded = crossings_.find(key);
    if (excluded == GrowingMap::kAbsent) {
        excluded = histories_exclude(a, b) ? 1 : 0;
        crossings_.insert(key, excluded);
    }
    return excluded != 0 ? LockVerdict::excluded_by_history : LockVerdict::compatible;
}

} // namespace heddle
