// Remembers which accesses a thread has made since its last synchronisation: one at the same address from
// the same place, of the same kind and size, tells nothing new unless it saw another value.
//
// Direct-mapped, so it forgets: an access that was forgotten is recorded again, which is harmless. Two
// accesses are taken for one only if a 64-bit hash of all their properties agrees. Most epochs are short:
// they use a part of the table that stays in the processor's nearest cache, and only long ones all of it.
#pragma once

#include "traces/hash.h"

#include <cstddef>
#include <cstdint>

namespace heddle::recorder {

class EpochFilter {
  public:
    struct Entry {
        std::uint64_t key;
        std::uint64_t value;
    };

    /// After a synchronisation event.
    void next_epoch() noexcept {
        ++epoch_;
        shift_ = 64U - kFewBits;
        few_left_ = kFew;
    }
    /// `what`: address, kind and size; `where`: code address.
    [[nodiscard]] std::uint64_t key_of(std::uint64_t what, std::uint64_t where) const noexcept {
        const std::uint64_t mixed = (what ^ (std::uint64_t{epoch_} << 40U)) * 0x9E37'79B9'7F4A'7C15U;
        return (mixed ^ (mixed >> 29U) ^ where) * 0xD6E8'FEB8'6659'FD93U;
    }
    /// The entry with the key, or the one that it would have.
    [[nodiscard]] Entry& entry(std::uint64_t key) noexcept { return entries_[key >> shift_]; }
    void set(Entry& entry, std::uint64_t key, std::uint64_t value) noexcept {
        entry = {key, value};
        if (--few_left_ == 0) shift_ = 64U - kBits;
    }

  private:
    static constexpr unsigned kBits = 11;
    static constexpr unsigned kFewBits = 7;
    static constexpr std::uint32_t kFew = 64; ///< accesses of an epoch, before all of the table is used

    std::uint32_t epoch_ = 0;
    unsigned shift_ = 64U - kFewBits;
    std::uint32_t few_left_ = kFew;
    Entry entries_[std::size_t{1} << kBits]{};
};

} // namespace heddle::recorder
