// Remembers which accesses a thread has made since its last synchronisation: one at the same address from
// the same place, of the same kind and size, tells nothing new unless it saw another value.
//
// Direct-mapped, so it forgets: an access that was forgotten is recorded again, which is harmless. Two
// accesses are taken for one only if a 64-bit hash of all their properties agrees.
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

    /// `what`: address, kind and size; `where`: code address and epoch.
    [[nodiscard]] static std::uint64_t key_of(std::uint64_t what, std::uint64_t where,
                                              std::uint32_t epoch) noexcept {
        const std::uint64_t mixed = (what ^ (std::uint64_t{epoch} << 40U)) * 0x9E37'79B9'7F4A'7C15U;
        return (mixed ^ (mixed >> 29U) ^ where) * 0xD6E8'FEB8'6659'FD93U;
    }
    [[nodiscard]] Entry& entry(std::uint64_t key) noexcept { return entries_[key >> (64U - kBits)]; }

  private:
    static constexpr unsigned kBits = 11;
    Entry entries_[std::size_t{1} << kBits]{};
};

} // namespace heddle::recorder
