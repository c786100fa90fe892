// How records get from threads' buffers into the file.
//
// A thread writes its buffer when it is full. It then writes the buffers of threads that are blocked as well:
// a reader of the growing file, or of one whose writer was killed, can use events only up to the oldest one
// that is still in memory. At the end one thread writes everybody's buffer, up to a common stamp.
#pragma once

#include "traces/recorder/thread_state.h"

namespace heddle::recorder {

/// Opens the trace; what the threads do from now on is recorded. False: it could not be opened.
bool open_trace() noexcept;

/// The thread's way into the file, from its creation on: readers may not rely on what comes after its events.
void open_stream(ThreadState& state) noexcept;
void flush_own(ThreadState& state) noexcept;
/// The thread ends: its stream has nothing more to come.
void finish_stream(ThreadState& state) noexcept;

/// The program goes on, the recording does not: everything up to now is written and the file closed.
/// `problem` is told to the user; nothing: the run is over.
void stop_recording(const char* problem, int exit_status = -1) noexcept;

/// The recording ends and leaves no file.
void discard_trace() noexcept;

/// In the child of a fork: the trace is the parent's.
void forget_output() noexcept;

[[nodiscard]] bool is_recording() noexcept;

/// The thread no longer waits: its buffer is its own again.
void unblock(ThreadState& state) noexcept;

/// The thread is about to wait for others, and may do so for long. Others may flush its buffer meanwhile.
class Blocking {
  public:
    explicit Blocking(ThreadState* state) noexcept;
    ~Blocking();
    Blocking(const Blocking&) = delete;
    Blocking& operator=(const Blocking&) = delete;

  private:
    ThreadState* state_;
};

} // namespace heddle::recorder
