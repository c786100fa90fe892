// The heap and mappings: memory that is given back ends the identities of what lay in it. Heap blocks are
// described when they are handed out (blocks.h).
#include "traces/recorder/blocks.h"
#include "traces/recorder/interception.h"
#include "traces/recorder/internal_memory.h"

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

using namespace heddle::recorder;

namespace {

/// The recorder's own allocations, and those of the dynamic linker while the real functions are looked up.
bool is_internal() noexcept {
    static_cast<void>(real());
    return !real_table_ready || (current_state != nullptr && current_state->is_in_recorder());
}

void ends(const void* memory, std::size_t bytes) noexcept {
    if (ThreadState* state = current_state; state != nullptr) {
        if (state->inside != 0) return; // it is not recorded
        if (state->pending_count != 0) resolve_pending(*state);
        const Inside inside(*state);
        return shadow.forget(address_of(memory), bytes);
    }
    shadow.forget(address_of(memory), bytes);
}

std::size_t usable(void* memory) noexcept {
    return owns(memory) ? capacity(memory) : real().malloc_usable_size(memory);
}

/// What the program has just allocated. `place`: its call, unless that went through operator new.
void* handed_out(void* memory, std::size_t bytes, Address place) noexcept {
    ThreadState* state = current_state;
    if (state == nullptr || state->inside != 0) return memory;
    if (state->pending_count != 0) resolve_pending(*state);
    if (state->allocation_place != 0) place = state->allocation_place;
    block_allocated(*state, address_of(memory), bytes, place);
    return memory;
}

void* new_block(std::size_t bytes, Address place) noexcept {
    return is_internal() ? allocate(bytes) : handed_out(real().malloc(bytes), bytes, place);
}

void* aligned(std::size_t alignment, std::size_t bytes, Address place) noexcept {
    if (!is_internal()) return handed_out(real().memalign(alignment, bytes), bytes, place);
    return alignment <= 16 ? allocate(bytes) : nullptr;
}

void give_back(void* memory, Address place) noexcept {
    if (memory == nullptr) return;
    if (owns(memory)) return release(memory);
    if (!is_internal()) {
        ThreadState* state = current_state;
        if (state != nullptr && state->pending_count != 0) resolve_pending(*state);
        if (state != nullptr && state->allocation_place != 0) place = state->allocation_place;
        if (state == nullptr || state->inside == 0) block_freed(state, address_of(memory), place);
        ends(memory, real().malloc_usable_size(memory));
    }
    real().free(memory);
}

/// Never moves in place over memory that another thread may get in the same moment: a block that has to grow
/// is a new one.
void* resized(void* memory, std::size_t bytes, Address place) noexcept {
    if (memory == nullptr) return new_block(bytes, place);
    if (bytes == 0) {
        give_back(memory, place);
        return nullptr;
    }
    const std::size_t old = usable(memory);
    if (bytes <= old && bytes >= old / 2) return memory;
    void* moved = new_block(bytes, place);
    if (moved == nullptr) return nullptr;
    real().memcpy(moved, memory, std::min(old, bytes));
    give_back(memory, place);
    return moved;
}

} // namespace

HEDDLE_EXPORT void* malloc(std::size_t bytes) noexcept {
    return new_block(bytes, HEDDLE_CALLER);
}
HEDDLE_EXPORT void* calloc(std::size_t count, std::size_t bytes) noexcept {
    std::size_t total = 0;
    if (__builtin_mul_overflow(count, bytes, &total)) return nullptr;
    return is_internal() ? allocate(total) : handed_out(real().calloc(count, bytes), total, HEDDLE_CALLER);
}
HEDDLE_EXPORT void free(void* memory) noexcept {
    give_back(memory, HEDDLE_CALLER);
}
HEDDLE_EXPORT void cfree(void* memory) noexcept {
    give_back(memory, HEDDLE_CALLER);
}
HEDDLE_EXPORT void* realloc(void* memory, std::size_t bytes) noexcept {
    return resized(memory, bytes, HEDDLE_CALLER);
}
HEDDLE_EXPORT void* reallocarray(void* memory, std::size_t count, std::size_t bytes) noexcept {
    std::size_t total = 0;
    if (__builtin_mul_overflow(count, bytes, &total)) {
        errno = ENOMEM;
        return nullptr;
    }
    return resized(memory, total, HEDDLE_CALLER);
}
HEDDLE_EXPORT void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
    return aligned(alignment, bytes, HEDDLE_CALLER);
}
HEDDLE_EXPORT void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
    return aligned(alignment, bytes, HEDDLE_CALLER);
}
HEDDLE_EXPORT int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) noexcept {
    if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
    void* block = aligned(alignment, bytes, HEDDLE_CALLER);
    if (block == nullptr) return ENOMEM;
    *memory = block;
    return 0;
}
HEDDLE_EXPORT void* valloc(std::size_t bytes) noexcept {
    return aligned(static_cast<std::size_t>(::getpagesize()), bytes, HEDDLE_CALLER);
}
HEDDLE_EXPORT void* pvalloc(std::size_t bytes) noexcept {
    const auto page = static_cast<std::size_t>(::getpagesize());
    return aligned(page, (bytes + page - 1) & ~(page - 1), HEDDLE_CALLER);
}
HEDDLE_EXPORT std::size_t malloc_usable_size(void* memory) noexcept {
    return memory == nullptr ? 0 : usable(memory);
}

HEDDLE_EXPORT void* mmap(void* at, std::size_t bytes, int protection, int flags, int file,
                         off_t offset) noexcept {
    if ((flags & MAP_FIXED) != 0 && !is_internal()) ends(at, bytes);
    return real().mmap(at, bytes, protection, flags, file, offset);
}
HEDDLE_EXPORT void* mmap64(void* at, std::size_t bytes, int protection, int flags, int file,
                           off_t offset) noexcept {
    return mmap(at, bytes, protection, flags, file, offset);
}
HEDDLE_EXPORT int munmap(void* at, std::size_t bytes) noexcept {
    if (!is_internal()) ends(at, bytes);
    return real().munmap(at, bytes);
}
HEDDLE_EXPORT void* mremap(void* at, std::size_t bytes, std::size_t new_bytes, int flags, ...) noexcept {
    void* wanted = nullptr;
    if ((flags & MREMAP_FIXED) != 0) {
        va_list rest;
        va_start(rest, flags);
        wanted = va_arg(rest, void*);
        va_end(rest);
    }
    if (!is_internal()) {
        ends(at, bytes);
        if (wanted != nullptr) ends(wanted, new_bytes);
    }
    return real().mremap(at, bytes, new_bytes, flags, wanted);
}
/// A write that is still to be looked at must be looked at before it cannot be.
HEDDLE_EXPORT int mprotect(void* at, std::size_t bytes, int protection) noexcept {
    if (ThreadState* state = current_state;
        state != nullptr && state->pending_count != 0 && state->inside == 0)
        resolve_pending(*state);
    return real().mprotect(at, bytes, protection);
}
