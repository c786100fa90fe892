// Beginnings and ends of the recording that the process itself brings about.
#pragma once

namespace heddle::recorder {

void before_fork() noexcept;
/// In both processes.
void after_fork(bool in_child) noexcept;

/// The trace is closed: a successful exec leaves nobody to do it later.
void before_exec() noexcept;
/// Gives `result` back; the program goes on unrecorded, and is told so.
int after_failed_exec(int result) noexcept;

/// The process ends without running destructors.
void end_process(int status) noexcept;

/// Before a library is unloaded: code in it may be in buffers.
void remember_modules() noexcept;
/// After it: what is loaded at the same addresses later is something else.
void forget_unloaded_memory() noexcept;

} // namespace heddle::recorder
