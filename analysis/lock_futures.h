// Whether two threads can go on from where they stand: the mirror image of acquisition histories, for runs in
// which deadlocks are possible (docs/algorithms.md, "Acquisition histories").
//
// Lemma 2 of seed 001 reduces "c, then r, then c'" to "a state after c and r, before c', is reachable" and
// takes it that this state can always be completed: that is where it needs deadlock freedom. Here the
// completion is decided. For the thread of the transaction a future holds, for every lock held at the state,
// the locks it acquires before it releases that lock or comes to c'; for the thread of r, those it acquires
// before it releases that lock, or that it never does. The state cannot be completed if, and for two nested
// threads only if, the transaction asks for o while it holds l and the other thread asks for l while it holds
// o, or the transaction asks for a lock that the other thread never gives back.
#pragma once

#include "analysis/lock_profiles.h"

namespace heddle {

class LockFutures {
  public:
    struct Held {
        LockId lock; ///< invalid for the row that stands for the whole way to c'
        LockMode mode = LockMode::exclusive;
        std::uint32_t open = 0; ///< not released (yet)
        HistoryId until;        ///< acquired before the release

        bool operator==(const Held&) const = default;
    };

    /// Says nothing: goes with everything.
    [[nodiscard]] static FutureId unknown() { return FutureId{0U}; }

    LockFutures();

    /// Of the transaction's thread when it stands at a profile and has gone no step further.
    [[nodiscard]] FutureId standing_at(const LockProfiles& profiles, ProfileId profile);
    /// One lock event further. Memoised.
    [[nodiscard]] FutureId after(LockHistories& histories, FutureId future, EventKind kind, LockId lock);

    /// Of the other thread, stepping backwards: the held locks before the event, given those after it.
    static void step_back(LockHistories& histories, std::vector<Held>& held, EventKind kind, LockId lock);
    [[nodiscard]] FutureId intern(std::span<const Held> held) { return FutureId{futures_.intern(held)}; }

    /// Memoised by pair.
    [[nodiscard]] bool completable(const LockHistories& histories, FutureId transaction, FutureId remote);

  private:
    Interner<Held> futures_;
    GrowingMap transitions_; ///< by future, lock and kind
    GrowingMap verdicts_;
};

/// By thread: whether it takes two locks in an order that another thread reverses. Only then can the futures
/// of locks that are given back matter.
[[nodiscard]] std::vector<bool> threads_with_reversed_locks(const LockProfiles& profiles,
                                                            std::size_t threads);

/// By thread: the same, or it uses a lock that some thread still holds at its end.
[[nodiscard]] std::vector<bool> threads_that_may_block(const LockProfiles& profiles, std::size_t threads);

} // namespace heddle
