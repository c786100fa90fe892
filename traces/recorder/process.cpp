#include "traces/recorder/process.h"

#include "traces/recorder/barrier_rounds.h"
#include "traces/recorder/blocks.h"
#include "traces/recorder/flushing.h"
#include "traces/recorder/internal_memory.h"
#include "traces/recorder/late_history.h"
#include "traces/recorder/modules.h"
#include "traces/recorder/recording.h"
#include "traces/recorder/replay.h"
#include "traces/recorder/threads.h"
#include "traces/recorder/trace_file.h"
#include "traces/recorder/wake_ups.h"

#include <cerrno>
#include <utility>

namespace heddle::recorder {

void before_fork() noexcept {
    ThreadState* state = this_thread();
    if (state != nullptr && state->pending_count != 0) resolve_pending(*state);
    // The child must find lists and the recorder's heap in order.
    // In the order in which a thread takes them that writes the buffers of others.
    thread_list.lock.lock();
    lock_modules();
    lock_internal_memory();
}

void after_fork(bool in_child) noexcept {
    unlock_internal_memory();
    unlock_modules();
    thread_list.lock.unlock();
    if (!in_child) return;
    replay::leave_in_child();
    forget_waits();
    forget_barriers();
    forget_late_history();
    forget_blocks();
    restart_in_child();
}

namespace {
constinit bool closed_for_exec = false;
} // namespace

void before_exec() noexcept {
    replay::process_ends(0);
    ThreadState* state = current_state;
    if (state != nullptr && state->pending_count != 0) resolve_pending(*state);
    // A child that was forked only to run another program did nothing worth a file.
    if (is_forked_child() && threads_seen() == 1) return discard_trace();
    closed_for_exec = is_recording();
    stop_recording(nullptr);
}

int after_failed_exec(int result) noexcept {
    ThreadState* state = current_state;
    if (!std::exchange(closed_for_exec, false) || state == nullptr) return result;
    const int error = errno;
    const Inside inside(*state);
    tell_problem("the program did not become another one, as it tried to; what it does now is not recorded");
    errno = error;
    return result;
}

void end_process(int status) noexcept {
    replay::process_ends(status);
    ThreadState* state = current_state;
    if (state != nullptr && state->inside == 0 && state->pending_count != 0) resolve_pending(*state);
    if (state == nullptr || state->inside == 0) stop_recording(nullptr, status);
}

void remember_modules() noexcept {
    ThreadState* state = current_state;
    const Inside inside(*state);
    refresh_modules();
}

void forget_unloaded_memory() noexcept {
    ThreadState* state = current_state;
    if (state == nullptr) return;
    const Inside inside(*state);
    for_each_unloaded_module(
        [](std::uint64_t begin, std::uint64_t end) { shadow.forget(begin, end - begin); });
}

} // namespace heddle::recorder
