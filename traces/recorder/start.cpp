// When the recorder begins and ends.
#include "traces/recorder/flushing.h"
#include "traces/recorder/recording.h"
#include "traces/recorder/replay.h"
#include "traces/recorder/threads.h"

#include <cstdlib>

namespace heddle::recorder {
namespace {

void end(int status) {
    replay::process_ends(status & 0xFF);
    ThreadState* state = current_state;
    if (state != nullptr && state->pending_count != 0) resolve_pending(*state);
    stop_recording(nullptr, status & 0xFF);
}

__attribute__((constructor(101))) void begin() {
    start_process();
    // The first to be registered is the last to run: after the program's own handlers and destructors.
    ::on_exit([](int status, void*) { end(status); }, nullptr);
    ::at_quick_exit([] { end(0); });
}

} // namespace
} // namespace heddle::recorder
