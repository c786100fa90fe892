// Memory for large arrays, in huge pages where they help: filling 10 M events page by page costs as much as
// decoding them, and a lookup at random in small pages waits for the page table, too.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include <sys/mman.h>

namespace heddle {

namespace detail {

inline constexpr std::size_t kHugePage = std::size_t{2} << 20U;

[[nodiscard]] constexpr std::size_t rounded_up(std::size_t bytes, std::size_t multiple) {
    return (bytes + multiple - 1) / multiple * multiple;
}

/// Huge pages are asked of the system and given back to it. In the allocator's memory the wish for them would
/// outlive the array, and the system would for ever fill up with huge pages what the allocator gives back.
[[nodiscard]] inline void* map_huge_pages(std::size_t bytes) {
    const std::size_t wanted = rounded_up(bytes, kHugePage);
    if (wanted < bytes || wanted + kHugePage < wanted) throw std::bad_alloc();
    void* mapped =
        ::mmap(nullptr, wanted + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    char* const first = static_cast<char*>(mapped);
    const std::size_t before = (kHugePage - reinterpret_cast<std::uintptr_t>(mapped) % kHugePage) % kHugePage;
    char* const aligned = first + before;
    if (before > 0) ::munmap(first, before);
    ::munmap(aligned + wanted, kHugePage - before);
    // Only advice: without it the memory works as well.
    static_cast<void>(::madvise(aligned, wanted, MADV_HUGEPAGE));
    return aligned;
}

/// Aligned as asked for, or to huge pages if there is at least one.
[[nodiscard]] inline void* allocate_large(std::size_t bytes, std::size_t alignment) {
    if (bytes >= kHugePage) return map_huge_pages(bytes);
    void* memory = std::aligned_alloc(alignment, rounded_up(bytes, alignment));
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

inline void free_large(void* memory, std::size_t bytes) noexcept {
    if (bytes >= kHugePage) {
        ::munmap(memory, rounded_up(bytes, kHugePage));
    } else {
        std::free(memory); // NOLINT: it comes from aligned_alloc
    }
}

} // namespace detail

struct RawDelete {
    std::size_t bytes = 0;
    void operator()(void* memory) const { detail::free_large(memory, bytes); }
};

template<typename T>
using RawArray = std::unique_ptr<T[], RawDelete>;

/// Room for `count` elements, which must be written before they are read.
template<typename T>
[[nodiscard]] RawArray<T> allocate_raw(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::size_t bytes = count * sizeof(T);
    return RawArray<T>(static_cast<T*>(detail::allocate_large(bytes, 64)), RawDelete{bytes});
}

template<typename T>
struct LargeAllocator {
    using value_type = T;

    LargeAllocator() = default;
    template<typename Other>
    LargeAllocator(const LargeAllocator<Other>&) {} // NOLINT(google-explicit-constructor): a standard's wish

    [[nodiscard]] T* allocate(std::size_t count) {
        return static_cast<T*>(
            detail::allocate_large(count * sizeof(T), std::max(alignof(T), alignof(void*))));
    }
    void deallocate(T* memory, std::size_t count) { detail::free_large(memory, count * sizeof(T)); }
    template<typename Other>
    bool operator==(const LargeAllocator<Other>&) const {
        return true;
    }
};

/// For tables that are looked up at random and may grow to many megabytes.
template<typename T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

} // namespace heddle
