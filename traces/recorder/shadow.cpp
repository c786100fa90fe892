#include "traces/recorder/shadow.h"

#include "traces/recorder/internal_memory.h"

#include <algorithm>

#include <sys/mman.h>
#include <unistd.h>

namespace heddle::recorder {

constinit Shadow shadow;

namespace {

constexpr std::size_t kPageBytes = 4096;
/// From here on whole pages of cells are given back instead of being cleared one by one.
constexpr std::size_t kManyCells = 4 * kPageBytes / sizeof(Cell);

} // namespace

Cell* Shadow::add_region(std::size_t top) noexcept {
    auto* fresh = static_cast<Cell*>(reserve(kRegionBytes));
    Cell* expected = nullptr;
    if (fresh == nullptr) return nullptr;
    if (__atomic_compare_exchange_n(&regions_[top], &expected, fresh, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE)) {
        const std::uint32_t at = used_count_.fetch_add(1);
        if (at < kMaxUsed) used_[at].store(static_cast<std::uint32_t>(top));
        return fresh;
    }
    ::munmap(fresh, kRegionBytes);
    return expected;
}

void Shadow::take_memory(Cell* cell, Address address) noexcept {
    Cell* region = region_of(cell, address);
    const std::size_t window = window_of(region, cell);
    __atomic_store_n(windows_of(region) + window, 1, __ATOMIC_RELAXED);
    fill_pages(reinterpret_cast<std::byte*>(region) + window * kWindowBytes, kWindowBytes);
}

void Shadow::forget_cells(Cell* first, std::size_t count) noexcept {
    for (Cell* cell = first; cell != first + count; ++cell) {
        if (cell->identity.load(std::memory_order_relaxed) == 0 &&
            cell->state.load(std::memory_order_relaxed) == 0)
            continue;
        cell->state.store(0, std::memory_order_relaxed);
        cell->high_bits.store(0, std::memory_order_relaxed);
        cell->past.store(0, std::memory_order_relaxed);
        cell->identity.store(0, std::memory_order_release);
    }
}

void Shadow::forget(Address from, std::size_t bytes) noexcept {
    if (bytes == 0) return;
    const Address last = from + bytes - 1;
    for (Address at = from & ~Address{7}; at <= last;) {
        const std::size_t top = at >> kRegionBits;
        const Address region_end = (top + 1) << kRegionBits;
        if (top >= kRegions) return;
        Cell* region = region_at(top);
        const std::size_t index = (at >> kGranuleBits) & (kCellsPerRegion - 1);
        const Address until = std::min(last + 1, region_end);
        const std::size_t count = (until - at + 7) >> kGranuleBits;
        at = region_end;
        if (region == nullptr) continue;
        Cell* first = region + index;
        Cell* end = first + count;
        if (count >= kManyCells) {
            // Cells that are only in part on the whole pages are cleared with the others.
            const auto from_byte = reinterpret_cast<std::uintptr_t>(first);
            const auto to_byte = reinterpret_cast<std::uintptr_t>(end);
            const std::uintptr_t page = (from_byte + kPageBytes - 1) & ~(kPageBytes - 1);
            const std::uintptr_t page_end = to_byte & ~(kPageBytes - 1);
            clear_pages(reinterpret_cast<void*>(page), page_end - page);
            for (std::size_t window = window_of(region, first); window <= window_of(region, end - 1);
                 ++window)
                __atomic_store_n(windows_of(region) + window, 0, __ATOMIC_RELAXED);
            const std::size_t before = (page - from_byte + sizeof(Cell) - 1) / sizeof(Cell);
            const std::size_t after = (to_byte - page_end + sizeof(Cell) - 1) / sizeof(Cell);
            forget_cells(end - after, after);
            end = first + before;
        }
        forget_cells(first, static_cast<std::size_t>(end - first));
    }
}

void Shadow::forget_everything() noexcept {
    const std::uint32_t used = std::min<std::uint32_t>(used_count_.load(), kMaxUsed);
    for (std::uint32_t i = 0; i < used; ++i) {
        clear_pages(region_at(used_[i].load()), kRegionBytes);
    }
}

} // namespace heddle::recorder
