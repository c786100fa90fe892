// Replay: the program takes the schedule of a plan instead of being recorded (docs/replay.md). This is what
// the callbacks and interposed functions call where they find that their thread is not recorded; while a
// program is recorded none of it runs.
//
// Each thread looks for its own next step only: an operation at a place, counted from the thread's previous
// step. Before it does what the step says it waits for what the step needs. Threads without steps, and
// threads that have done all of theirs, are held up by nothing.
//
// Thread rule: everything here is called by the thread that it is about.
#pragma once

#include "traces/event.h"
#include "traces/recorder/replay_operations.h"
#include "traces/recorder/thread_state.h"

#include <cstddef>
#include <cstdint>

#include <pthread.h>

namespace heddle::recorder::replay {

using heddle::replay::Operation;

/// What follows the plan in one thread.
struct Follower;

[[nodiscard]] inline bool is_following(const ThreadState* state) noexcept {
    return state != nullptr && state->inside == ThreadState::kReplaying;
}

/// Begins with the process, if it is to follow a plan: then nothing is recorded. The first thread's state.
[[nodiscard]] ThreadState* start() noexcept;

/// Whether what a thread is about to do may fail, and then is no event. Who may fail never waits for ever:
/// no deadlock is made of such requests.
enum class Sure : std::uint8_t { no, yes };
/// The thread is about to do it, and waits if it is not its turn yet.
void arrive_now(ThreadState& state, Operation operation, Address object, Address place, Sure sure) noexcept;
/// The thread did it; or, of what others wait for, is doing it.
void happened_now(ThreadState& state, Operation operation, Address object, Address place) noexcept;
inline void arrive(Operation operation, const volatile void* object, Address place,
                   Sure sure = Sure::yes) noexcept {
    if (ThreadState* state = current_state; is_following(state))
        arrive_now(*state, operation, reinterpret_cast<Address>(object), place, sure);
}
inline void happened(Operation operation, const volatile void* object, Address place) noexcept {
    if (ThreadState* state = current_state; is_following(state))
        happened_now(*state, operation, reinterpret_cast<Address>(object), place);
}

void access_now(ThreadState& state, EventKind kind, Address address, std::size_t size,
                Address place) noexcept;
/// Before an access. Whether it was made is known by the thread's next callback.
inline void access(ThreadState* state, EventKind kind, Address address, std::size_t size,
                   Address place) noexcept {
    if (is_following(state)) access_now(*state, kind, address, size, place);
}
void moved_on_now(ThreadState& state) noexcept;
/// The thread is in a callback that is no step: what it was about to access, it has accessed.
inline void moved_on(ThreadState* state) noexcept {
    if (is_following(state)) moved_on_now(*state);
}

/// An atomic operation was made: a load, or a compare-exchange in vain, saw the value. A thread that polls
/// has done nothing new when it sees the same again.
void atomic_happened(Address object, Address place, bool only_read, std::uint64_t seen) noexcept;
void atomic_arrives(Address object, std::size_t size, Address place, bool only_reads) noexcept;

/// Before a wait for a condition. True: the thread has waited, for its turn to have the mutex again, and is
/// not to wait for somebody else's notify: which of several threads that wakes is nobody's choice.
[[nodiscard]] bool waits_instead(const void* condition, const void* mutex, Sure sure, Address place) noexcept;
/// After a wait. The mutex is given back and taken again when it is not yet the thread's turn to have it.
void woke(const void* mutex, Address place) noexcept;

/// A new thread, which is to call begin() with what this gave; nothing if this thread follows no plan.
[[nodiscard]] ThreadState* create(Address place) noexcept;
void begin(ThreadState& state) noexcept;
void abandon(ThreadState& state) noexcept;

void process_ends(int status) noexcept;
/// In the child of a fork, which follows no plan.
void leave_in_child() noexcept;

} // namespace heddle::recorder::replay
