// The threads of the program: their numbers, which are never used twice, and their states, whose memory is.
#pragma once

#include "traces/recorder/thread_state.h"

#include <cstdint>
#include <string>
#include <vector>

#include <pthread.h>

namespace heddle::recorder {

/// Begins to record the process: reads the environment, opens the trace, attaches the main thread. Safe to
/// call any number of times, from any constructor.
void start_process() noexcept;

/// A state for a thread about to be created. Nothing: not recording.
[[nodiscard]] ThreadState* new_thread(ThreadState& creator) noexcept;
/// The creation failed.
void abandon_thread(ThreadState& state) noexcept;
/// Records the beginning of a thread. What comes late but belongs before all else it does can have its stamp.
void record_begin(ThreadState& state) noexcept;
/// In the new thread: `state` is its own from now on.
void begin_thread(ThreadState& state) noexcept;
/// The thread's last step: its state goes to another one later.
void end_thread(ThreadState& state) noexcept;

/// The same for a fiber, which another thread ends.
void end_fiber(ThreadState& fiber) noexcept;

/// Which thread a handle means, from its creation until it is joined or, once detached, ends.
void register_handle(pthread_t handle, ThreadLife* life) noexcept;
/// Nothing if it is unknown. Asked before the thread is joined or detached: the system gives a handle to
/// another thread as soon as it is.
[[nodiscard]] ThreadLife* known_handle(pthread_t handle) noexcept;
/// The handle no longer means that thread.
void forget_handle(pthread_t handle, ThreadLife* life) noexcept;
/// What people call the thread that a handle means, if it lives.
void name_thread(pthread_t handle, const char* name) noexcept;

[[nodiscard]] std::uint64_t threads_seen() noexcept;
[[nodiscard]] std::vector<std::string> command_line();

/// Calls `action` with the state of every live thread; none can end meanwhile.
template<typename Action>
void for_each_thread(Action&& action) noexcept;

struct ThreadList {
    SpinLock lock;
    ThreadState* live = nullptr;
    ThreadState* unused = nullptr;
};
extern ThreadList thread_list;

template<typename Action>
void for_each_thread(Action&& action) noexcept {
    thread_list.lock.lock();
    for (ThreadState* state = thread_list.live; state != nullptr; state = state->next) action(*state);
    thread_list.lock.unlock();
}

[[nodiscard]] bool is_forked_child() noexcept;
/// In the child of a fork: only this thread is left, and it begins a trace of its own.
void restart_in_child() noexcept;

} // namespace heddle::recorder
