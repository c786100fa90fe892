#include "traces/recorder/internal_memory.h"

#include "traces/recorder/raw_system_call.h"
#include "traces/recorder/spin_lock.h"

#include <array>
#include <bit>
#include <cerrno>
#include <cstdint>

#include <sys/mman.h>

namespace heddle::recorder {

namespace {

constexpr std::size_t kArenaBytes = std::size_t{64} << 30U;
constexpr unsigned kSmallestClass = 6; ///< blocks of 64 bytes, header included
constexpr unsigned kClasses = 40;

/// Before each block. While the block is free, `next` links it to others of its size.
struct alignas(16) Header {
    std::uint64_t size_class;
    Header* next;
};

/// memset() would be the recorder's own, which records it as an access of the program.
void clear(void* memory, std::size_t bytes) noexcept {
    __asm__ volatile("rep stosb" : "+D"(memory), "+c"(bytes) : "a"(0) : "memory");
}

struct Arena {
    SpinLock lock;
    std::byte* begin = nullptr;
    std::byte* unused = nullptr;
    std::array<Header*, kClasses> free{};

    Header* take(unsigned size_class) noexcept {
        if (Header* header = free[size_class]; header != nullptr) {
            free[size_class] = header->next;
            clear(header, std::size_t{1} << size_class);
            return header;
        }
        if (begin == nullptr) {
            begin = unused = static_cast<std::byte*>(reserve(kArenaBytes));
            if (begin == nullptr) return nullptr;
        }
        const std::size_t bytes = std::size_t{1} << size_class;
        if (bytes > kArenaBytes - static_cast<std::size_t>(unused - begin)) return nullptr;
        auto* header = reinterpret_cast<Header*>(unused);
        unused += bytes;
        return header;
    }
};
constinit Arena arena;

Header* header_of(const void* memory) {
    return static_cast<Header*>(const_cast<void*>(memory)) - 1;
}

} // namespace

void* allocate(std::size_t bytes) noexcept {
    const unsigned size_class =
        std::max(kSmallestClass, unsigned(std::bit_width(bytes + sizeof(Header) - 1)));
    if (size_class >= kClasses) return nullptr;
    arena.lock.lock();
    Header* header = arena.take(size_class);
    arena.lock.unlock();
    if (header == nullptr) return nullptr;
    header->size_class = size_class;
    return header + 1;
}

void release(void* memory) noexcept {
    if (memory == nullptr) return;
    Header* header = header_of(memory);
    arena.lock.lock();
    header->next = arena.free[header->size_class];
    arena.free[header->size_class] = header;
    arena.lock.unlock();
}

bool owns(const void* memory) noexcept {
    const auto* at = static_cast<const std::byte*>(memory);
    return at >= arena.begin && at < arena.unused && arena.begin != nullptr;
}

std::size_t capacity(const void* memory) noexcept {
    return (std::size_t{1} << header_of(memory)->size_class) - sizeof(Header);
}

void* reserve(std::size_t bytes) noexcept {
    void* memory = raw_mmap(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE);
    return memory == MAP_FAILED ? nullptr : memory;
}

void fill_pages(void* from, std::size_t bytes) noexcept {
    constexpr int kPopulateWrite = 23; // MADV_POPULATE_WRITE, younger than the C library's headers may be
    const int error = errno;
    raw_madvise(from, bytes, kPopulateWrite);
    errno = error;
}

void clear_pages(void* from, std::size_t bytes) noexcept {
    raw_madvise(from, bytes, MADV_DONTNEED);
}

void lock_internal_memory() noexcept {
    arena.lock.lock();
}
void unlock_internal_memory() noexcept {
    arena.lock.unlock();
}

} // namespace heddle::recorder
