// The callbacks that compilers emit for loads and stores under -fsanitize=thread.
#include "traces/recorder/accesses.h"
#include "traces/recorder/export.h"

#include <algorithm>

using namespace heddle::recorder;
using heddle::EventKind;

namespace {

Address as_address(const volatile void* pointer) noexcept {
    return reinterpret_cast<Address>(pointer);
}

/// The end of a call while there is something else to do.
[[gnu::noinline]] void leave_later(ThreadState* state, Address stack_pointer, Address caller) noexcept {
    if (state == nullptr || state->inside != 0) return replay::moved_on(state);
    // By the next callback the call's memory may be that of another, which need not be instrumented.
    resolve_pending(*state);
    state->calls.leave(stack_pointer, caller);
}

} // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): the names are the compilers'
#define HEDDLE_SIZED_ACCESSES(size)                                                                          \
    HEDDLE_EXPORT void __tsan_read##size(void* at) noexcept {                                                \
        access<EventKind::read>(as_address(at), size, HEDDLE_CALLER);                                        \
    }                                                                                                        \
    HEDDLE_EXPORT void __tsan_write##size(void* at) noexcept {                                               \
        access<EventKind::write>(as_address(at), size, HEDDLE_CALLER);                                       \
    }                                                                                                        \
    HEDDLE_EXPORT void __tsan_read_write##size(void* at) noexcept {                                          \
        access<EventKind::read>(as_address(at), size, HEDDLE_CALLER);                                        \
        access<EventKind::write>(as_address(at), size, HEDDLE_CALLER);                                       \
    }                                                                                                        \
    HEDDLE_EXPORT void __tsan_volatile_read##size(void* at) noexcept {                                       \
        access<EventKind::read>(as_address(at), size, HEDDLE_CALLER);                                        \
    }                                                                                                        \
    HEDDLE_EXPORT void __tsan_volatile_write##size(void* at) noexcept {                                      \
        access<EventKind::write>(as_address(at), size, HEDDLE_CALLER);                                       \
    }                                                                                                        \
    HEDDLE_EXPORT void __tsan_read##size##_pc(void* at, void* place) noexcept {                              \
        access<EventKind::read>(as_address(at), size, as_address(place) - 1);                                \
    }                                                                                                        \
    HEDDLE_EXPORT void __tsan_write##size##_pc(void* at, void* place) noexcept {                             \
        access<EventKind::write>(as_address(at), size, as_address(place) - 1);                               \
    }

#define HEDDLE_UNALIGNED_ACCESSES(size)                                                                      \
    HEDDLE_EXPORT void __tsan_unaligned_read##size(const void* at) noexcept {                                \
        access<EventKind::read>(as_address(at), size, HEDDLE_CALLER);                                        \
    }                                                                                                        \
    HEDDLE_EXPORT void __tsan_unaligned_write##size(void* at) noexcept {                                     \
        access<EventKind::write>(as_address(at), size, HEDDLE_CALLER);                                       \
    }                                                                                                        \
    HEDDLE_EXPORT void __tsan_unaligned_read_write##size(void* at) noexcept {                                \
        access<EventKind::read>(as_address(at), size, HEDDLE_CALLER);                                        \
        access<EventKind::write>(as_address(at), size, HEDDLE_CALLER);                                       \
    }                                                                                                        \
    HEDDLE_EXPORT void __tsan_unaligned_volatile_read##size(const void* at) noexcept {                       \
        access<EventKind::read>(as_address(at), size, HEDDLE_CALLER);                                        \
    }                                                                                                        \
    HEDDLE_EXPORT void __tsan_unaligned_volatile_write##size(void* at) noexcept {                            \
        access<EventKind::write>(as_address(at), size, HEDDLE_CALLER);                                       \
    }

HEDDLE_SIZED_ACCESSES(1)
HEDDLE_SIZED_ACCESSES(2)
HEDDLE_SIZED_ACCESSES(4)
HEDDLE_SIZED_ACCESSES(8)
HEDDLE_SIZED_ACCESSES(16)
HEDDLE_UNALIGNED_ACCESSES(2)
HEDDLE_UNALIGNED_ACCESSES(4)
HEDDLE_UNALIGNED_ACCESSES(8)
HEDDLE_UNALIGNED_ACCESSES(16)

HEDDLE_EXPORT void __tsan_read_range(void* at, std::size_t size) noexcept {
    access<EventKind::read>(as_address(at), size, HEDDLE_CALLER);
}
HEDDLE_EXPORT void __tsan_write_range(void* at, std::size_t size) noexcept {
    access<EventKind::write>(as_address(at), size, HEDDLE_CALLER);
}
HEDDLE_EXPORT void __tsan_read_range_pc(void* at, std::size_t size, void* place) noexcept {
    access<EventKind::read>(as_address(at), size, as_address(place) - 1);
}
HEDDLE_EXPORT void __tsan_write_range_pc(void* at, std::size_t size, void* place) noexcept {
    access<EventKind::write>(as_address(at), size, as_address(place) - 1);
}

HEDDLE_EXPORT void __tsan_vptr_read(void** at) noexcept {
    access<EventKind::read>(as_address(at), sizeof(void*), HEDDLE_CALLER);
}
/// Constructors and destructors of a hierarchy set the pointer again and again; only a change counts.
HEDDLE_EXPORT void __tsan_vptr_update(void** at, void* value) noexcept {
    if (*at != value) access<EventKind::write>(as_address(at), sizeof(void*), HEDDLE_CALLER);
}

HEDDLE_EXPORT void __tsan_func_entry(void* call_site) noexcept {
    ThreadState* state = current_state;
    if (state == nullptr || state->inside != 0) return replay::moved_on(state);
    state->calls.enter(as_address(call_site) - 1, HEDDLE_CALLER, as_address(__builtin_frame_address(0)));
}
HEDDLE_EXPORT void __tsan_func_exit() noexcept {
    ThreadState* state = current_state;
    const Address stack_pointer = as_address(__builtin_frame_address(0));
    if (state == nullptr || (state->inside | state->pending_count) != 0) [[unlikely]]
        return leave_later(state, stack_pointer, HEDDLE_CALLER);
    state->calls.leave(stack_pointer, HEDDLE_CALLER);
}

/// GCC calls it before the C library is initialised, too early to read the environment. The recorder begins
/// with its own constructor or with the first event, whichever comes first.
HEDDLE_EXPORT void __tsan_init() noexcept {}
// NOLINTEND(bugprone-reserved-identifier)
