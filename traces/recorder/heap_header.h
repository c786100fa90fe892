// The description of a heap block in the cell before it. It looks like memory that a thread owns which does
// not exist, so that an access of a program that reads in front of its block does no harm: it takes the cell
// over, and the block is unknown from then on.
#pragma once

#include "traces/recorder/history.h"
#include "traces/recorder/ownership.h"
#include "traces/recorder/shadow.h"

#include <algorithm>
#include <cstdint>

namespace heddle::recorder {

struct HeapBlock {
    std::uint32_t identity = 0;
    std::uint64_t size = 0;
    StackNode stack = kNoCaller; ///< of the allocation, with its thread and stamp
    std::uint32_t thread = 0;
    std::uint64_t stamp = 0;
};

class HeapHeader {
  public:
    static constexpr std::uint64_t kTold = std::uint64_t{1} << 63U;
    static constexpr std::uint64_t kBufferGone = std::uint64_t{1} << 62U; ///< of the alloc record
    static constexpr std::uint64_t kMaxThread = 1U << 20U;
    static constexpr std::uint64_t kMaxEpoch = std::uint64_t{1} << 42U;

    explicit HeapHeader(Cell& cell) noexcept : cell_(&cell) {}

    [[nodiscard]] static bool is_header(const Cell& cell) noexcept {
        const Ownership ownership(cell.state.load(std::memory_order_acquire));
        return !ownership.recorded() && ownership.page() == kHeaderPage;
    }

    void describe(const HeapBlock& block, std::uint64_t flags) noexcept {
        const std::uint64_t size = std::min(block.size, (std::uint64_t{1} << HistoryBits::kLowBits) - 1);
        cell_->high_bits.store(block.thread * kMaxEpoch + block.stamp / kEpoch + flags,
                               std::memory_order_relaxed);
        cell_->past.store(block.stack, std::memory_order_relaxed);
        cell_->identity.store(block.identity, std::memory_order_relaxed);
        cell_->state.store(Ownership::by_page(kHeaderPage, size).bits(), std::memory_order_release);
    }
    [[nodiscard]] HeapBlock block() const noexcept {
        const std::uint64_t bits = cell_->high_bits.load(std::memory_order_relaxed);
        return {.identity = cell_->identity.load(std::memory_order_relaxed),
                .size = Ownership(cell_->state.load(std::memory_order_relaxed)).low(),
                .stack = cell_->past.load(std::memory_order_relaxed),
                .thread = static_cast<std::uint32_t>((bits & ~(kTold | kBufferGone)) / kMaxEpoch),
                .stamp = bits % kMaxEpoch * kEpoch};
    }
    [[nodiscard]] bool is_told() const noexcept {
        return (cell_->high_bits.load(std::memory_order_acquire) & kTold) != 0;
    }

    /// Tells the block. Whether its alloc event has to be written late: nobody told it before, and its
    /// record has gone. False as well if the block itself went meanwhile.
    [[nodiscard]] bool tell(std::uint32_t identity) noexcept {
        const std::uint64_t before = cell_->high_bits.fetch_or(kTold);
        return (before & kTold) == 0 && (before & kBufferGone) != 0 && cell_->identity.load() == identity;
    }
    /// The alloc record is about to go; only the thread that allocated the block, or somebody while it
    /// waits, may call it. Whether the block was told before.
    [[nodiscard]] bool buffer_goes(std::uint32_t thread, std::uint64_t stamp) noexcept {
        const std::uint64_t untold = thread * kMaxEpoch + stamp / kEpoch;
        std::uint64_t before = untold;
        return !cell_->high_bits.compare_exchange_strong(before, untold | kBufferGone) &&
               before == (untold | kTold);
    }

  private:
    Cell* cell_;
};

} // namespace heddle::recorder
