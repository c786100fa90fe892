// Memory for large arrays that are filled by their owner: uninitialised, and in huge pages where they
// help. Filling 10 M events page by page costs as much as decoding them.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

#include <sys/mman.h>

namespace heddle {

struct RawDelete {
    void operator()(void* memory) const { std::free(memory); } // NOLINT: memory comes from aligned_alloc
};

template<typename T>
using RawArray = std::unique_ptr<T[], RawDelete>;

/// Room for `count` elements, which must be written before they are read.
template<typename T>
[[nodiscard]] RawArray<T> allocate_raw(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    constexpr std::size_t kHugePage = std::size_t{2} << 20U;
    const std::size_t bytes = count * sizeof(T);
    const std::size_t alignment = bytes >= kHugePage ? kHugePage : std::size_t{64};
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    void* memory = std::aligned_alloc(alignment, rounded);
    if (memory == nullptr) throw std::bad_alloc();
    // Only advice: without it the memory works as well.
    if (alignment == kHugePage) static_cast<void>(::madvise(memory, rounded, MADV_HUGEPAGE));
    return RawArray<T>(static_cast<T*>(memory));
}

} // namespace heddle
