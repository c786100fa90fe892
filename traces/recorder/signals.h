// See intercept_signals.cpp.
#pragma once

namespace heddle::recorder {

/// Closes the trace when a signal that the program does not handle ends it.
void handle_fatal_signals() noexcept;

} // namespace heddle::recorder
