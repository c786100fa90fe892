// Memory that only one thread touches is not recorded. The first thread to touch a granule owns it; its
// accesses wait in its buffer, and when that is full in the granule's history (history.h). They are written
// when another thread comes that may run at the same time: one that is not ordered after them by creating and
// joining threads, which no schedule can change. One that is becomes the owner.
//
// States of a granule:  untouched → owned, in the buffer → owned, with a history → recorded.
// Freed memory is untouched again. What a thread itself does to its own stack has no history: if it lives
// longer than a buffer it is recorded.
#pragma once

#include "traces/recorder/cell_state.h"
#include "traces/recorder/history.h"
#include "traces/recorder/record.h"
#include "traces/recorder/thread_state.h"

#include <cstdint>

namespace heddle::recorder {

/// Whether the page stands for accesses that are all in the owner's buffer; a granule with it has no past.
[[nodiscard]] inline bool is_mark(const HistoryPage& page) noexcept {
    return page.stamp == ForkJoinClock::kEverything;
}

/// Identities that something holds for: one bit each.
class IdentitySet {
  public:
    [[nodiscard]] bool start() noexcept;
    /// Whether it was not in the set before.
    bool add(std::uint32_t identity) noexcept {
        if (contains(identity)) return false;
        const std::uint64_t bit = std::uint64_t{1} << identity % 64;
        return (bits_[identity / 64].fetch_or(bit, std::memory_order_acq_rel) & bit) == 0;
    }
    [[nodiscard]] bool contains(std::uint32_t identity) const noexcept {
        return (bits_[identity / 64].load(std::memory_order_acquire) >> identity % 64 & 1U) != 0;
    }
    /// One bit for each of the 16 identities from `first` on, which is a multiple of 16.
    [[nodiscard]] std::uint32_t sixteen_from(std::uint32_t first) const noexcept {
        return static_cast<std::uint16_t>(bits_[first / 64].load(std::memory_order_acquire) >> first % 64);
    }

  private:
    std::atomic<std::uint64_t>* bits_ = nullptr;
};
/// What was owned and then recorded, and blocks that are told. Their owners may have records in their
/// buffers, to be written even when the memory is something else by then.
extern IdentitySet shared_identities;
/// Some chunk of the file says where the variable lies.
extern IdentitySet told_addresses;

/// Deals with an access to memory that this thread owns or may own. False: it must be recorded.
[[nodiscard]] bool access_owned(ThreadState& state, Cell& cell, Address address, unsigned size,
                                EventKind kind, Address place) noexcept;

/// Whether the thread owns the granule and its history tells of this access since the last synchronisation,
/// or does so now: the answer to most questions, and the quickest.
[[nodiscard]] inline bool is_remembered(ThreadState& state, Cell& cell, Address place,
                                        std::uint32_t what) noexcept {
    std::uint64_t cell_state = cell.state.load(std::memory_order_relaxed);
    if (!Ownership(cell_state).owned()) return false;
    const HistoryCursor::Known& known = state.history_cursor.known(place, what);
    if (known.place != place || known.what != what || known.stamp != state.stamp) return false;
    const unsigned bit = known.site.bit;
    if (Ownership(cell_state).page() != known.site.page || known.site.page == kNoPage) return false;
    if (bit < HistoryBits::kLowBits) {
        const std::uint64_t wanted = cell_state | std::uint64_t{1} << bit;
        if (cell_state == wanted) return true;
        return known.turn >= state.open_turn && cell.state.compare_exchange_strong(cell_state, wanted);
    }
    return (cell.high_bits.load(std::memory_order_relaxed) >> (bit - HistoryBits::kLowBits) & 1U) != 0;
}

enum class Settled : std::uint8_t { dropped, to_be_written };
/// What becomes of a record of owned memory when its buffer is written. `live`: the state is that of the
/// running thread, so that its call stack can be looked at. `last`: nothing comes after.
[[nodiscard]] Settled settle(ThreadState& state, const Record& record, std::uint64_t stamp, bool live,
                             bool last) noexcept;

} // namespace heddle::recorder
