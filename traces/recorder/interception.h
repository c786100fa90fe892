// What interposed functions have in common.
#pragma once

#include "traces/recorder/export.h"
#include "traces/recorder/flushing.h"
#include "traces/recorder/real_functions.h"
#include "traces/recorder/recording.h"
#include "traces/recorder/replay.h"

namespace heddle::recorder {

/// The state of a thread whose call is to be recorded. Nothing: the recorder itself made the call, a signal
/// handler interrupted the recorder, or the thread is not recorded; then only the real function is called.
[[nodiscard]] inline ThreadState* recorded_thread() noexcept {
    ThreadState* state = this_thread();
    if (state == nullptr || state->inside != 0) return nullptr;
    if (state->pending_count != 0) resolve_pending(*state);
    return state;
}
/// The same for synchronisation, which an annotation can have switched off.
[[nodiscard]] inline ThreadState* synchronising_thread() noexcept {
    ThreadState* state = recorded_thread();
    return state != nullptr && state->ignore_synchronisation == 0 ? state : nullptr;
}

[[nodiscard]] inline Address address_of(const volatile void* object) noexcept {
    return reinterpret_cast<Address>(object);
}

} // namespace heddle::recorder
