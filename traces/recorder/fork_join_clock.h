// Which events of other threads come before this thread's next one because threads create and join each
// other. Nothing else counts: the order in which a lock passes could have been another one.
#pragma once

#include "traces/recorder/internal_memory.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle::recorder {

/// For each thread a stamp: its events up to there are ordered before. Memory is given back by release_all().
class ForkJoinClock {
  public:
    static constexpr std::uint64_t kEverything = ~std::uint64_t{0};

    [[nodiscard]] bool is_after(std::uint32_t thread, std::uint64_t stamp) const noexcept {
        return thread < size_ && stamps_[thread] >= stamp;
    }
    void raise(std::uint32_t thread, std::uint64_t stamp) noexcept {
        if (thread >= size_ && !resize(thread + 1)) return;
        stamps_[thread] = std::max(stamps_[thread], stamp);
    }
    void join(const ForkJoinClock& other) noexcept {
        if (other.size_ > size_ && !resize(other.size_)) return;
        for (std::uint32_t i = 0; i < other.size_; ++i) stamps_[i] = std::max(stamps_[i], other.stamps_[i]);
    }
    void release_all() noexcept {
        release(stamps_);
        stamps_ = nullptr;
        size_ = 0;
        room_ = 0;
    }

  private:
    /// To a larger size; what is new is zero.
    bool resize(std::uint32_t size) noexcept {
        if (size > room_ && !make_room(size + size / 2)) return false;
        std::fill(stamps_ + size_, stamps_ + size, 0);
        size_ = size;
        return true;
    }
    bool make_room(std::uint32_t wanted) noexcept {
        auto* larger = static_cast<std::uint64_t*>(allocate(std::size_t{wanted} * sizeof(*stamps_)));
        if (larger == nullptr) return false;
        std::copy(stamps_, stamps_ + size_, larger);
        release(stamps_);
        stamps_ = larger;
        room_ = wanted;
        return true;
    }

    std::uint64_t* stamps_ = nullptr;
    std::uint32_t size_ = 0; ///< threads that it tells of
    std::uint32_t room_ = 0;
};

} // namespace heddle::recorder
