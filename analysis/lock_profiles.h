// What the locks of a thread say about where another thread may be: its lockset and its acquisition history
// (seed 001, section 3; Kahlon, Ivancic, Gupta 2005), as interned ids.
//
// A profile is the locks a thread holds, each with the mode in which it is held and the locks acquired since
// (each in the strongest mode it was asked for). It changes only at lock events; a step is one lookup in a
// table of transitions, so accesses cost nothing. Two threads can be at two profiles at the same time only if
// compatible() says so: this holds whatever else the run does. For threads whose locking is nested, in a run
// whose only synchronisation is locks, it is exact (docs/algorithms.md, "Acquisition histories").
//
// Online: step() takes the events as they come. Histories and the number of locks held are capped, which
// keeps memory linear and forgets refutations, never feasible states; exact() tells. Not safe to share
// between threads: verdict() memoises.
#pragma once

#include "analysis/interner.h"
#include "traces/trace.h"

#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

using LocksetId = Id<struct LocksetTag>;
using ProfileId = Id<struct ProfileTag>;
using HistoryId = Id<struct HistoryTag>;
using FutureId = Id<struct FutureTag>; ///< see lock_futures.h

enum class LockMode : std::uint32_t { shared = 0, exclusive = 1 };

[[nodiscard]] constexpr bool excludes(LockMode a, LockMode b) {
    return a == LockMode::exclusive || b == LockMode::exclusive;
}

struct LockUse {
    LockId lock;
    LockMode mode = LockMode::exclusive;

    auto operator<=>(const LockUse&) const = default;
};

/// A lock event: acquire or release, shared or exclusive.
[[nodiscard]] constexpr bool is_lock_event(EventKind kind) {
    return kind >= EventKind::acquire && kind <= EventKind::release_shared;
}
[[nodiscard]] constexpr bool acquires_lock(EventKind kind) {
    return kind == EventKind::acquire || kind == EventKind::acquire_shared;
}
[[nodiscard]] constexpr LockMode lock_mode(EventKind kind) {
    return kind == EventKind::acquire || kind == EventKind::release ? LockMode::exclusive : LockMode::shared;
}

/// Sets of locks with the strongest mode each was acquired in, interned.
class LockHistories {
  public:
    static constexpr std::size_t kMaxHistory = 256;

    LockHistories();
    [[nodiscard]] HistoryId none() const { return HistoryId{0U}; }
    [[nodiscard]] HistoryId with(HistoryId history, LockUse use);
    [[nodiscard]] std::span<const LockUse> operator[](HistoryId id) const { return sets_[id.value]; }
    /// Whether the lock was acquired in a mode that excludes `held`.
    [[nodiscard]] bool asked_for(HistoryId history, LockId lock, LockMode held) const;
    [[nodiscard]] bool full(HistoryId id) const { return (*this)[id].size() >= kMaxHistory; }
    [[nodiscard]] std::size_t size() const { return sets_.size(); }

  private:
    Interner<LockUse> sets_; ///< each sorted by lock
};

/// Why two threads cannot be at two profiles at the same time, if they cannot.
enum class LockVerdict : std::uint8_t { compatible, excluded_by_lockset, excluded_by_history };

class LockProfiles {
  public:
    struct Held {
        LockId lock;
        LockMode mode = LockMode::exclusive;
        HistoryId since; ///< acquired after this lock

        bool operator==(const Held&) const = default;
    };

    static constexpr std::size_t kMaxHeld = 1024;       ///< locks beyond are not part of the profile
    static constexpr std::size_t kMaxHistoryDepth = 64; ///< what is acquired deeper enters no history

    LockProfiles();

    void step(const EventView& event) {
        if (is_lock_event(event.kind())) take(event);
    }
    void extend(const Trace& trace, EventId first, EventId last) {
        for (const EventView event : trace.events(first, last)) step(event);
    }
    [[nodiscard]] ProfileId current(ThreadId thread) const {
        return thread.value < threads_.size() ? threads_[thread.value].profile : empty();
    }
    /// Whether the thread has released every lock in the reverse order of acquiring so far.
    [[nodiscard]] bool nested(ThreadId thread) const {
        return thread.value >= threads_.size() || threads_[thread.value].nested;
    }
    /// Whether the thread's profiles tell all: it is nested and never went deeper than histories go.
    [[nodiscard]] bool exact(ThreadId thread) const {
        return nested(thread) &&
               (thread.value >= threads_.size() || threads_[thread.value].deepest <= kMaxHistoryDepth);
    }
    /// Profiles that the thread has been at, in order of first visit; the empty one may be missing.
    [[nodiscard]] std::span<const ProfileId> visited(ThreadId thread) const;

    [[nodiscard]] static ProfileId empty() { return ProfileId{0U}; }
    /// Where a lock event leads from a profile. Releasing what is not held changes nothing.
    [[nodiscard]] ProfileId after(ProfileId profile, EventKind kind, LockId lock);
    /// The locks that both hold, in the weaker mode, without histories: excludes nothing that one of them
    /// allows.
    [[nodiscard]] ProfileId common(ProfileId a, ProfileId b);
    /// Sorted by lock.
    [[nodiscard]] std::span<const Held> held(ProfileId id) const { return profiles_[id.value]; }
    [[nodiscard]] LocksetId lockset_id(ProfileId id) const { return lockset_of_[id.value]; }
    [[nodiscard]] std::span<const LockUse> lockset(LocksetId id) const { return locksets_[id.value]; }
    [[nodiscard]] std::span<const LockUse> lockset(ProfileId id) const { return lockset(lockset_id(id)); }
    [[nodiscard]] LockHistories& histories() { return histories_; }
    [[nodiscard]] const LockHistories& histories() const { return histories_; }
    /// Whether no history of the profile was cut short.
    [[nodiscard]] bool exact(ProfileId id) const;

    [[nodiscard]] std::size_t size() const { return profiles_.size(); }
    [[nodiscard]] std::size_t lockset_count() const { return locksets_.size(); }

    [[nodiscard]] LockVerdict verdict(ProfileId a, ProfileId b) {
        const Bits& one = bits_[a.value];
        const Bits& other = bits_[b.value];
        const bool may_share = (one.held & other.held) != 0;
        const bool may_cross = (one.since & other.held) != 0 && (other.since & one.held) != 0;
        return may_share || may_cross ? look_closer(a, b) : LockVerdict::compatible;
    }
    [[nodiscard]] bool compatible(ProfileId a, ProfileId b) {
        return verdict(a, b) == LockVerdict::compatible;
    }
    [[nodiscard]] bool locksets_exclude(LocksetId a, LocksetId b) const;

  private:
    struct Thread {
        ProfileId profile = empty();
        bool nested = true;
        std::size_t deepest = 0;
        std::vector<LockId> stack;
        std::vector<ProfileId> visited;
        std::vector<bool> seen; ///< by profile
    };

    /// Sets of locks, each as one of 64 bits: what they do not have in common, the locks do not either.
    struct Bits {
        std::uint64_t held = 0;
        std::uint64_t since = 0; ///< acquired while others were held
    };

    void take(const EventView& event);
    [[nodiscard]] LockVerdict look_closer(ProfileId a, ProfileId b);
    [[nodiscard]] ProfileId derive(ProfileId profile, EventKind kind, LockId lock);
    [[nodiscard]] ProfileId intern(std::span<const Held> held);
    [[nodiscard]] bool histories_exclude(ProfileId a, ProfileId b) const;

    LockHistories histories_;
    Interner<Held> profiles_;
    Interner<LockUse> locksets_;
    std::vector<LocksetId> lockset_of_;
    std::vector<Bits> bits_;
    GrowingMap transitions_; ///< by profile, lock and kind
    GrowingMap crossings_;   ///< whether histories exclude two profiles
    std::vector<Thread> threads_;
};

/// Whether locks allow two threads to stand in front of accesses made at these profiles. Exact for two nested
/// threads when the run's only synchronisation is locks; otherwise it may keep what is not feasible.
[[nodiscard]] inline bool ah_race_feasible(LockProfiles& profiles, ProfileId a, ProfileId b) {
    return profiles.compatible(a, b);
}

} // namespace heddle
