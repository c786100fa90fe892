// What programs tell ThreadSanitizer about synchronisation it cannot see: happens-before edges, locks of
// their own making, accesses to be ignored. Annotations that only steer ThreadSanitizer's reports do nothing.
#include "traces/recorder/locks.h"

#include <cstring>

using namespace heddle::recorder;
using heddle::EventKind;

namespace {

void mark(EventKind kind, const volatile void* tag, Address place) noexcept {
    ThreadState* state = synchronising_thread();
    if (state == nullptr) return;
    const Inside inside(*state);
    record_synchronisation(*state, kind, object_key(*state, address_of(tag)), place);
}

void mute(int by) noexcept {
    if (ThreadState* state = recorded_thread(); state != nullptr)
        state->muted += static_cast<std::uint32_t>(by);
}
void ignore_synchronisation(int by) noexcept {
    if (ThreadState* state = recorded_thread(); state != nullptr)
        state->ignore_synchronisation += static_cast<std::uint32_t>(by);
}

void name_thread(const char* name) noexcept {
    ThreadState* state = recorded_thread();
    if (state == nullptr || name == nullptr) return;
    const Inside inside(*state);
    state->set_name(name);
}

// Flags of __tsan_mutex_*, as in <sanitizer/tsan_interface.h>.
constexpr unsigned kReadLock = 1U << 3U;
constexpr unsigned kTryLock = 1U << 4U;
constexpr unsigned kTryLockFailed = 1U << 5U;

/// Code between the pre and post callbacks is the lock's own: neither its accesses nor the locks it is made
/// of are the program's.
void in_lock_code(int by) noexcept {
    mute(by);
    ignore_synchronisation(by);
}

} // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): the names are ThreadSanitizer's
HEDDLE_EXPORT void __tsan_acquire(void* tag) noexcept {
    mark(EventKind::happens_after, tag, HEDDLE_CALLER);
}
HEDDLE_EXPORT void __tsan_release(void* tag) noexcept {
    mark(EventKind::happens_before, tag, HEDDLE_CALLER);
}
HEDDLE_EXPORT void __tsan_ignore_thread_begin() noexcept {
    in_lock_code(1);
}
HEDDLE_EXPORT void __tsan_ignore_thread_end() noexcept {
    in_lock_code(-1);
}

HEDDLE_EXPORT void __tsan_mutex_create(void* mutex, unsigned /*flags*/) noexcept {
    lock_renewed(recorded_thread(), mutex, 1);
}
HEDDLE_EXPORT void __tsan_mutex_destroy(void* mutex, unsigned /*flags*/) noexcept {
    lock_renewed(recorded_thread(), mutex, 1);
}
HEDDLE_EXPORT void __tsan_mutex_pre_lock(void* /*mutex*/, unsigned /*flags*/) noexcept {
    in_lock_code(1);
}
HEDDLE_EXPORT void __tsan_mutex_post_lock(void* mutex, unsigned flags, int recursion) noexcept {
    in_lock_code(-1);
    if ((flags & kTryLock) != 0 && (flags & kTryLockFailed) != 0) return;
    ThreadState* state = synchronising_thread();
    for (int depth = recursion < 1 ? 1 : recursion; depth > 0; --depth)
        lock_acquired(state, mutex, (flags & kReadLock) != 0, HEDDLE_CALLER,
                      (flags & kTryLock) != 0 ? Sure::no : Sure::yes);
}
HEDDLE_EXPORT int __tsan_mutex_pre_unlock(void* mutex, unsigned flags) noexcept {
    constexpr unsigned kRecursiveUnlock = 1U << 6U;
    ThreadState* state = synchronising_thread();
    int depth = 1;
    lock_released(state, mutex, HEDDLE_CALLER);
    if (state != nullptr && (flags & kRecursiveUnlock) != 0) {
        while (state->held.holds(object_key(*state, address_of(mutex)))) {
            lock_released(state, mutex, HEDDLE_CALLER);
            ++depth;
        }
    }
    in_lock_code(1);
    return depth;
}
HEDDLE_EXPORT void __tsan_mutex_post_unlock(void* /*mutex*/, unsigned /*flags*/) noexcept {
    in_lock_code(-1);
}
HEDDLE_EXPORT void __tsan_mutex_pre_signal(void* /*mutex*/, unsigned /*flags*/) noexcept {
    in_lock_code(1);
}
HEDDLE_EXPORT void __tsan_mutex_post_signal(void* /*mutex*/, unsigned /*flags*/) noexcept {
    in_lock_code(-1);
}
/// The lock's code calls back into the program.
HEDDLE_EXPORT void __tsan_mutex_pre_divert(void* /*mutex*/, unsigned /*flags*/) noexcept {
    in_lock_code(-1);
}
HEDDLE_EXPORT void __tsan_mutex_post_divert(void* /*mutex*/, unsigned /*flags*/) noexcept {
    in_lock_code(1);
}
// NOLINTEND(bugprone-reserved-identifier)

HEDDLE_EXPORT void AnnotateHappensBefore(const char*, int, void* tag) noexcept {
    mark(EventKind::happens_before, tag, HEDDLE_CALLER);
}
HEDDLE_EXPORT void AnnotateHappensAfter(const char*, int, void* tag) noexcept {
    mark(EventKind::happens_after, tag, HEDDLE_CALLER);
}
HEDDLE_EXPORT void WTFAnnotateHappensBefore(const char*, int, void* tag) noexcept {
    mark(EventKind::happens_before, tag, HEDDLE_CALLER);
}
HEDDLE_EXPORT void WTFAnnotateHappensAfter(const char*, int, void* tag) noexcept {
    mark(EventKind::happens_after, tag, HEDDLE_CALLER);
}
HEDDLE_EXPORT void AnnotateRWLockCreate(const char*, int, void* lock) noexcept {
    lock_renewed(recorded_thread(), lock, 1);
}
HEDDLE_EXPORT void AnnotateRWLockCreateStatic(const char*, int, void* lock) noexcept {
    lock_renewed(recorded_thread(), lock, 1);
}
HEDDLE_EXPORT void AnnotateRWLockDestroy(const char*, int, void* lock) noexcept {
    lock_renewed(recorded_thread(), lock, 1);
}
HEDDLE_EXPORT void AnnotateRWLockAcquired(const char*, int, void* lock, long is_write) noexcept {
    lock_acquired(synchronising_thread(), lock, is_write == 0, HEDDLE_CALLER, Sure::yes);
}
HEDDLE_EXPORT void AnnotateRWLockReleased(const char*, int, void* lock, long /*is_write*/) noexcept {
    lock_released(synchronising_thread(), lock, HEDDLE_CALLER);
}
HEDDLE_EXPORT void AnnotateIgnoreReadsBegin(const char*, int) noexcept {
    mute(1);
}
HEDDLE_EXPORT void AnnotateIgnoreReadsEnd(const char*, int) noexcept {
    mute(-1);
}
HEDDLE_EXPORT void AnnotateIgnoreWritesBegin(const char*, int) noexcept {
    mute(1);
}
HEDDLE_EXPORT void AnnotateIgnoreWritesEnd(const char*, int) noexcept {
    mute(-1);
}
HEDDLE_EXPORT void AnnotateIgnoreSyncBegin(const char*, int) noexcept {
    ignore_synchronisation(1);
}
HEDDLE_EXPORT void AnnotateIgnoreSyncEnd(const char*, int) noexcept {
    ignore_synchronisation(-1);
}
HEDDLE_EXPORT void AnnotateThreadName(const char*, int, const char* name) noexcept {
    name_thread(name);
}
/// Memory that the program's own allocator hands out again.
HEDDLE_EXPORT void AnnotateNewMemory(const char*, int, void* memory, long bytes) noexcept {
    if (bytes > 0) lock_renewed(recorded_thread(), memory, static_cast<std::size_t>(bytes));
}
