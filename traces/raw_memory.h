// Memory for large arrays, in huge pages where they help: filling 10 M events page by page costs as much as
// decoding them, and a lookup at random in small pages waits for the page table, too.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include <sys/mman.h>

namespace heddle {

namespace detail {

inline constexpr std::size_t kHugePage = std::size_t{2} << 20U;

/// Aligned as asked for, or to huge pages if there is at least one. To be freed by std::free.
[[nodiscard]] inline void* allocate_large(std::size_t bytes, std::size_t least_alignment) {
    const std::size_t alignment = bytes >= kHugePage ? kHugePage : least_alignment;
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    void* memory = std::aligned_alloc(alignment, rounded);
    if (memory == nullptr) throw std::bad_alloc();
    // Only advice: without it the memory works as well.
    if (alignment == kHugePage) static_cast<void>(::madvise(memory, rounded, MADV_HUGEPAGE));
    return memory;
}

} // namespace detail

struct RawDelete {
    void operator()(void* memory) const { std::free(memory); } // NOLINT: memory comes from aligned_alloc
};

template<typename T>
using RawArray = std::unique_ptr<T[], RawDelete>;

/// Room for `count` elements, which must be written before they are read.
template<typename T>
[[nodiscard]] RawArray<T> allocate_raw(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    return RawArray<T>(static_cast<T*>(detail::allocate_large(count * sizeof(T), 64)));
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
    void deallocate(T* memory, std::size_t) { std::free(memory); } // NOLINT: as above
    template<typename Other>
    bool operator==(const LargeAllocator<Other>&) const {
        return true;
    }
};

/// For tables that are looked up at random and may grow to many megabytes.
template<typename T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

} // namespace heddle
