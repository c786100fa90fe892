// An open-addressing hash index from content to a 32-bit row number. The rows themselves live elsewhere,
// in the table that the index serves: the caller says whether a row is the one looked for.
#pragma once

#include "traces/raw_memory.h"

#include <cstddef>
#include <cstdint>

namespace heddle {

class HashIndex {
  public:
    static constexpr std::uint32_t kAbsent = 0xFFFF'FFFF;

    /// The row with this hash for which same(row) holds, or kAbsent.
    template<typename Same>
    [[nodiscard]] std::uint32_t find(std::uint64_t hash, Same&& same) const {
        if (slots_.empty()) return kAbsent;
        const std::uint32_t folded = fold(hash);
        for (std::size_t at = folded & mask();; at = (at + 1) & mask()) {
            const Slot& slot = slots_[at];
            if (slot.row == kAbsent) return kAbsent;
            if (slot.hash == folded && same(slot.row)) return slot.row;
        }
    }
    /// Fetches what find() will look at first.
    [[gnu::always_inline]] inline void prefetch(std::uint64_t hash) const {
        if (!slots_.empty()) __builtin_prefetch(&slots_[fold(hash) & mask()]);
    }

    /// A row that find() is likely to look at, or kAbsent.
    [[nodiscard]] std::uint32_t likely(std::uint64_t hash) const {
        return slots_.empty() ? kAbsent : slots_[fold(hash) & mask()].row;
    }

    /// Adds a row that find() did not find.
    void insert(std::uint64_t hash, std::uint32_t row) {
        if ((count_ + 1) * 2 > slots_.size()) grow();
        place(fold(hash), row);
        ++count_;
    }

  private:
    /// Half of the hash is enough to tell rows apart, and keeps eight slots in a cache line.
    struct Slot {
        std::uint32_t hash = 0;
        std::uint32_t row = kAbsent;
    };

    [[nodiscard]] static std::uint32_t fold(std::uint64_t hash) {
        return static_cast<std::uint32_t>(hash ^ hash >> 32U);
    }

    [[nodiscard]] std::size_t mask() const { return slots_.size() - 1; }

    void place(std::uint32_t hash, std::uint32_t row) {
        std::size_t at = hash & mask();
        while (slots_[at].row != kAbsent) at = (at + 1) & mask();
        slots_[at] = {hash, row};
    }

    void grow() {
        LargeVector<Slot> old(slots_.empty() ? 16 : slots_.size() * 2);
        old.swap(slots_);
        for (const Slot& slot : old) {
            if (slot.row != kAbsent) place(slot.hash, slot.row);
        }
    }

    LargeVector<Slot> slots_;
    std::size_t count_ = 0;
};

} // namespace heddle
