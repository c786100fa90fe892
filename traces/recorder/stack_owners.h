// Which thread's stack a piece of memory is: a table over the pages of the address space. Threads enter and
// leave it as they begin and end; looking takes two loads and no lock. States of threads are never unmapped,
// so that what is found can be looked at even when the thread ends in this moment.
#pragma once

#include "traces/recorder/shadow.h"

#include <atomic>
#include <cstddef>

namespace heddle::recorder {

struct ThreadState;

class StackOwners {
  public:
    /// The thread's stack_low and stack_bytes are known.
    void add(ThreadState& state) noexcept;
    void remove(ThreadState& state) noexcept;

    /// The thread whose stack the address is on, or nothing.
    [[nodiscard]] ThreadState* owner(Address address) const noexcept {
        const std::size_t region = address >> kRegionBits;
        if (region >= kRegions) [[unlikely]]
            return nullptr;
        const Page* pages = __atomic_load_n(&regions_[region], __ATOMIC_ACQUIRE);
        if (pages == nullptr) [[likely]]
            return nullptr;
        return pages[address >> kPageBits & (kPagesPerRegion - 1)].load(std::memory_order_relaxed);
    }

  private:
    using Page = std::atomic<ThreadState*>;
    static constexpr unsigned kPageBits = 12;
    static constexpr unsigned kRegionBits = 24;
    static constexpr std::size_t kRegions = std::size_t{1} << (47U - kRegionBits);
    static constexpr std::size_t kPagesPerRegion = std::size_t{1} << (kRegionBits - kPageBits);
    /// Of a stack without a limit only the part that is used first.
    static constexpr std::size_t kMostBytes = std::size_t{256} << 20U;

    void set(const ThreadState& state, ThreadState* owner) noexcept;
    [[nodiscard]] Page* pages_of(std::size_t region) noexcept;

    Page* regions_[kRegions]{}; ///< 64 MiB of zeros, of which only pages in use take memory
};

extern StackOwners stack_owners;

} // namespace heddle::recorder
