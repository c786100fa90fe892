// How the state of a cell is to be read (ownership.h).
#pragma once

#include "traces/recorder/history.h"
#include "traces/recorder/stamps.h"

#include <cstdint>

namespace heddle::recorder {

/// What Cell::state says: 0 untouched; with the top bit set a page of history and the first bits of it; else
/// the number of a Variable. The owner is the thread of the page.
///
/// A recorded cell can *tell*: several threads have read the variable since it was last written, and
/// Cell::high_bits is what all its bytes hold. Who reads in a later era than the last access before that need
/// not look at the variable, and touches one cache line less. Whoever writes takes that back before it takes
/// its stamp.
class Ownership {
  public:
    explicit constexpr Ownership(std::uint64_t state) noexcept : state_(state) {}
    [[nodiscard]] static constexpr Ownership by_page(PageNumber page, std::uint64_t low) noexcept {
        return Ownership(kOwned | std::uint64_t{page} << HistoryBits::kLowBits | low);
    }

    /// Of a cell that tells what the variable holds since the epoch `stamp`; recorded and no more if that is
    /// too late in the run to be said.
    [[nodiscard]] static constexpr Ownership telling(std::uint32_t variable, std::uint64_t stamp) noexcept {
        const std::uint64_t from_era = stamp / kEra + 1;
        return Ownership(variable | (from_era <= kLastEra ? from_era << kEraShift : 0));
    }
    [[nodiscard]] static constexpr Ownership recorded_as(std::uint32_t variable) noexcept {
        return Ownership(variable);
    }

    [[nodiscard]] constexpr bool untouched() const noexcept { return state_ == 0; }
    [[nodiscard]] constexpr bool recorded() const noexcept { return state_ != 0 && (state_ & kOwned) == 0; }
    [[nodiscard]] constexpr bool owned() const noexcept { return (state_ & kOwned) != 0; }
    [[nodiscard]] constexpr bool tells() const noexcept { return recorded() && state_ >> kEraShift != 0; }
    /// A thread with this stamp.
    [[nodiscard]] constexpr bool tells(std::uint64_t stamp) const noexcept {
        return tells() && stamp / kEra >= state_ >> kEraShift;
    }
    [[nodiscard]] constexpr std::uint32_t variable() const noexcept {
        return static_cast<std::uint32_t>(state_);
    }
    [[nodiscard]] constexpr PageNumber page() const noexcept {
        return static_cast<PageNumber>((state_ & ~kOwned) >> HistoryBits::kLowBits);
    }
    [[nodiscard]] constexpr std::uint64_t low() const noexcept { return state_ & kLowMask; }
    [[nodiscard]] constexpr std::uint64_t bits() const noexcept { return state_; }

  private:
    static constexpr std::uint64_t kOwned = std::uint64_t{1} << 63U;
    static constexpr unsigned kEraShift = 32;
    static constexpr std::uint64_t kLastEra = (std::uint64_t{1} << 31U) - 1;
    static constexpr std::uint64_t kLowMask = (std::uint64_t{1} << HistoryBits::kLowBits) - 1;
    std::uint64_t state_;
};

} // namespace heddle::recorder
