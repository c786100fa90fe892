// Waits for conditions. Who waits stands in a queue of the recorder's own, from before the mutex is given up
// until a notify takes it out: so it is known which notify ended which wait, which the C library does not
// tell. And who is notified within a few microseconds need not fall asleep first; a recorded thread comes
// later than it would otherwise, and waits for it should not therefore cost more than they do without the
// recorder.
//
// A notify that ends waits gets a number, its ticket; one while nobody waits has none. Conditions that
// processes share sleep in the C library, and so does who is not recorded: the program calls the real notify
// if notify() says so.
//
// Thread rule: everything that takes a state is called by the thread whose state it is.
#pragma once

#include "traces/recorder/recording.h"
#include "traces/recorder/waiter.h"

#include <cstdint>
#include <optional>

#include <pthread.h>
#include <time.h>

namespace heddle::recorder {

/// Whether the real function has to be called as well.
enum class RealNotify : bool { not_needed, needed };

/// Records the beginning of a wait and lets the thread stand in the queue. The mutex is held.
void begin_wait(ThreadState& state, Waiter& waiter, ObjectKey condition, Address place) noexcept;
/// Waits to be notified; until that time, if there is one. Can be cancelled. The mutex is not held.
void sleep_until_notified(Waiter& waiter, clockid_t clock, const timespec* until);
/// Why a thread leaves. A notify that ended the wait of one that was cancelled ends somebody else's.
enum class Leaving : std::uint8_t { of_itself, cancelled };
/// The thread stands in the queue no longer. The ticket of the notify that ended its wait, 0 if that was not
/// recorded; nothing: none did.
[[nodiscard]] std::optional<std::uint64_t> end_wait(Waiter& waiter, pthread_cond_t* condition,
                                                    Leaving leaving) noexcept;

/// Records a notify and wakes whom it ends the wait of.
[[nodiscard]] RealNotify notify(ThreadState& state, ObjectKey condition, bool all, Address place) noexcept;
/// The same for a thread that is not recorded.
[[nodiscard]] RealNotify notify_unrecorded(const void* condition, bool all) noexcept;

/// In the child of a fork.
void forget_waits() noexcept;

} // namespace heddle::recorder
