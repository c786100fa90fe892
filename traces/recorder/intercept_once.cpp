// pthread_once, and the guards of static variables.
#include "traces/recorder/atomics.h"
#include "traces/recorder/once.h"

using namespace heddle::recorder;
using heddle::EventKind;
using heddle::MemoryOrder;

namespace heddle::recorder {

thread_local constinit OnceCall* once_call = nullptr;

void run_initialisation() {
    OnceCall& call = *once_call;
    call.ran = true;
    struct Left {
        const OnceCall& call;
        bool finished = false;
        ~Left() {
            if (!finished) abandon_once(synchronising_thread(), call.once);
        }
    } left{call};
    record_once(synchronising_thread(), EventKind::once_begin, call.once, call.place);
    call.initialise();
    left.finished = true;
    once_call = &call; // an initialisation within this one has put its own there
    record_once(synchronising_thread(), EventKind::once_end, call.once, call.place);
}

} // namespace heddle::recorder

HEDDLE_EXPORT int pthread_once(pthread_once_t* once, void (*initialise)()) {
    return run_once(once, initialise, HEDDLE_CALLER,
                    [&](void (*run)()) { return real().pthread_once(once, run); });
}

namespace {

/// For programs without a C++ library, where only the recorder's own code has guards. The first byte says
/// "done", as the ABI has it; the second "being done".
int own_guard_acquire(std::uint64_t* guard) noexcept {
    auto* bytes = reinterpret_cast<std::uint8_t*>(guard);
    while (__atomic_load_n(bytes, __ATOMIC_ACQUIRE) == 0) {
        if (__atomic_exchange_n(bytes + 1, std::uint8_t{1}, __ATOMIC_ACQUIRE) == 0) return 1;
        ::sched_yield();
    }
    return 0;
}

} // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): the names are the C++ ABI's
HEDDLE_EXPORT int __cxa_guard_acquire(std::uint64_t* guard) {
    if (real().__cxa_guard_acquire == nullptr) return own_guard_acquire(guard);
    ThreadState* state = synchronising_thread();
    if (state == nullptr) replay::arrive(Operation::once, guard, HEDDLE_CALLER);
    int result = 0;
    {
        const Blocking blocking(state);
        result = real().__cxa_guard_acquire(guard);
    }
    record_once(state, result != 0 ? EventKind::once_begin : EventKind::once_seen, guard, HEDDLE_CALLER);
    return result;
}
/// Threads that find the guard's first byte set do not ask the library: they synchronise with this store.
HEDDLE_EXPORT void __cxa_guard_release(std::uint64_t* guard) noexcept {
    if (real().__cxa_guard_release == nullptr) {
        return __atomic_store_n(reinterpret_cast<std::uint8_t*>(guard), std::uint8_t{1}, __ATOMIC_RELEASE);
    }
    record_once(synchronising_thread(), EventKind::once_end, guard, HEDDLE_CALLER);
    auto* done = reinterpret_cast<volatile std::uint8_t*>(guard);
    atomic_operation(
        {address_of(guard), MemoryOrder::release, HEDDLE_CALLER}, 1,
        [&] { return __atomic_exchange_n(done, std::uint8_t{1}, __ATOMIC_SEQ_CST); },
        [](std::uint8_t) {
            return AtomicOutcome{EventKind::atomic_store, 0, 1};
        });
    real().__cxa_guard_release(guard);
}
HEDDLE_EXPORT void __cxa_guard_abort(std::uint64_t* guard) noexcept {
    if (real().__cxa_guard_abort == nullptr) return;
    abandon_once(synchronising_thread(), guard);
    real().__cxa_guard_abort(guard);
}
// NOLINTEND(bugprone-reserved-identifier)
