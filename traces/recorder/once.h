// Initialisation that happens once, told as begin, end, and "saw it done".
#pragma once

#include "traces/recorder/interception.h"

#include <utility>

namespace heddle::recorder {

using heddle::replay::Operation;

inline void record_once(ThreadState* state, EventKind kind, const void* once, Address place) noexcept {
    if (state == nullptr) {
        const bool ends = kind == EventKind::once_end;
        return replay::happened(ends ? Operation::once_done : Operation::once, once, place);
    }
    const Inside inside(*state);
    record_synchronisation(*state, kind, object_key(*state, address_of(once)), place);
}

/// The initialisation was left by an exception: whoever does it next does another one.
inline void abandon_once(ThreadState* state, const void* once) noexcept {
    if (state == nullptr) return;
    const Inside inside(*state);
    renew_object(address_of(once), 1);
}

/// What the function that the C library calls needs to know: it has no argument.
struct OnceCall {
    const void* once;
    void (*initialise)();
    Address place;
    bool ran;
};
extern thread_local constinit OnceCall* once_call __attribute__((tls_model("initial-exec")));
void run_initialisation();

/// Calls `real_once` with a function that runs `initialise` and tells the trace; afterwards tells that the
/// thread saw it done, unless it did it.
template<typename RealOnce>
int run_once(const void* once, void (*initialise)(), Address place, RealOnce&& real_once) {
    ThreadState* state = synchronising_thread();
    if (state == nullptr) replay::arrive(Operation::once, once, place);
    OnceCall call{once, initialise, place, false};
    OnceCall* const outer = std::exchange(once_call, &call);
    struct Restore {
        OnceCall* outer;
        ~Restore() { once_call = outer; }
    } const restore{outer};
    const int result = real_once(run_initialisation);
    if (!call.ran) record_once(state, EventKind::once_seen, once, place);
    return result;
}

} // namespace heddle::recorder
