// How the state of a cell is to be read (ownership.h).
#pragma once

#include "traces/recorder/history.h"

#include <cstdint>

namespace heddle::recorder {

/// What Cell::state says: 0 untouched; with the top bit set a page of history and the first bits of it; else
/// the number of a Variable. The owner is the thread of the page.
class Ownership {
  public:
    explicit constexpr Ownership(std::uint64_t state) noexcept : state_(state) {}
    [[nodiscard]] static constexpr Ownership by_page(PageNumber page, std::uint64_t low) noexcept {
        return Ownership(kOwned | std::uint64_t{page} << HistoryBits::kLowBits | low);
    }

    [[nodiscard]] constexpr bool untouched() const noexcept { return state_ == 0; }
    [[nodiscard]] constexpr bool recorded() const noexcept { return state_ != 0 && (state_ & kOwned) == 0; }
    [[nodiscard]] constexpr bool owned() const noexcept { return (state_ & kOwned) != 0; }
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
    static constexpr std::uint64_t kLowMask = (std::uint64_t{1} << HistoryBits::kLowBits) - 1;
    std::uint64_t state_;
};

} // namespace heddle::recorder
