// What is known of each 8 bytes of the program's memory: 24 bytes in a table with two levels that covers
// the whole address space and takes memory only where the program touches its own.
//
// A cell gives its 8 bytes an *identity*: a number that no other memory, and no earlier use of the same
// memory, ever had. Identities end when heap blocks are freed, mappings go, threads leave their stacks and
// functions return. Locks, condition variables and the like take their identity from the memory they lie in.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace heddle::recorder {

using Address = std::uintptr_t;

inline constexpr unsigned kGranuleBits = 3;

struct Cell {
    /// Who may touch the variable without telling, and part of what it did: see ownership.h. 0: nobody did so
    /// far.
    std::atomic<std::uint64_t> state;
    /// The rest of it. Of a variable that is recorded: what it holds, if the state says so (cell_state.h).
    std::atomic<std::uint64_t> high_bits;
    /// 0: no identity yet.
    std::atomic<std::uint32_t> identity;
    /// What came before it: a step of history. For memory of a thread's stack: the call of the function that
    /// it belongs to, or a step that began with it (History::call_of).
    std::atomic<std::uint32_t> past;
};
static_assert(sizeof(Cell) == 24);

class Shadow {
  public:
    /// The cell of an address of the program's; nothing for addresses that no program has.
    [[nodiscard]] Cell* cell(Address address) noexcept {
        const std::size_t top = address >> kRegionBits;
        if (top >= kRegions) [[unlikely]]
            return nullptr;
        Cell* region = region_at(top);
        if (region == nullptr) [[unlikely]] {
            region = add_region(top);
            if (region == nullptr) return nullptr;
        }
        return region + ((address >> kGranuleBits) & (kCellsPerRegion - 1));
    }

    /// The same, unless nothing was ever known of the memory around it.
    [[nodiscard]] Cell* known_cell(Address address) const noexcept {
        const std::size_t top = address >> kRegionBits;
        if (top >= kRegions) [[unlikely]]
            return nullptr;
        Cell* region = region_at(top);
        return region == nullptr ? nullptr : region + ((address >> kGranuleBits) & (kCellsPerRegion - 1));
    }

    /// Before a cell is written for the first time: takes memory for those around it as well. Each page would
    /// otherwise be asked for twice, to be read and to be written, and the second time all cores be told.
    void take_memory_around(Cell* cell, Address address) noexcept {
        if (!has_memory(cell, address)) take_memory(cell, address);
    }

    /// Ends all identities in a range of the program's memory.
    void forget(Address from, std::size_t bytes) noexcept;
    /// Ends all identities (in the child of a fork).
    void forget_everything() noexcept;

  private:
    static constexpr unsigned kAddressBits = 47;
    static constexpr unsigned kRegionBits = 24;
    static constexpr std::size_t kRegions = std::size_t{1} << (kAddressBits - kRegionBits);
    static constexpr std::size_t kCellsPerRegion = std::size_t{1} << (kRegionBits - kGranuleBits);

    /// What memory is taken for at once: 16 pages, the cells of some 21 KiB of the program's.
    static constexpr std::size_t kWindowBytes = std::size_t{64} << 10U;
    static constexpr std::size_t kWindows = kCellsPerRegion * sizeof(Cell) / kWindowBytes;
    static constexpr std::size_t kRegionBytes = kCellsPerRegion * sizeof(Cell) + kWindows;
    static_assert(kCellsPerRegion * sizeof(Cell) % kWindowBytes == 0);

    Cell* add_region(std::size_t top) noexcept;
    static void forget_cells(Cell* first, std::size_t count) noexcept;
    static void take_memory(Cell* cell, Address address) noexcept;

    [[nodiscard]] static Cell* region_of(Cell* cell, Address address) noexcept {
        return cell - ((address >> kGranuleBits) & (kCellsPerRegion - 1));
    }
    /// For each window, behind the cells of the region: whether memory was taken for it.
    [[nodiscard]] static std::uint8_t* windows_of(Cell* region) noexcept {
        return reinterpret_cast<std::uint8_t*>(region + kCellsPerRegion);
    }
    [[nodiscard]] static std::size_t window_of(const Cell* region, const Cell* cell) noexcept {
        return static_cast<std::size_t>(cell - region) * sizeof(Cell) / kWindowBytes;
    }
    [[nodiscard]] static bool has_memory(Cell* cell, Address address) noexcept {
        Cell* region = region_of(cell, address);
        return __atomic_load_n(windows_of(region) + window_of(region, cell), __ATOMIC_RELAXED) != 0;
    }

    static constexpr std::uint32_t kMaxUsed = 4096; ///< 64 GiB of the program's memory

    [[nodiscard]] Cell* region_at(std::size_t top) const noexcept {
        return __atomic_load_n(&regions_[top], __ATOMIC_ACQUIRE);
    }

    Cell* regions_[kRegions]{}; ///< 64 MiB of zeros, of which only pages in use take memory
    std::atomic<std::uint32_t> used_count_{0};
    std::atomic<std::uint32_t> used_[kMaxUsed]{};
};

extern Shadow shadow;

} // namespace heddle::recorder
