// The locks a thread holds, so that only the outermost acquisition and release of a recursive lock are
// events, and a release of what the trace does not know as held (acquired before recording began, or by
// another thread) is none. A thread that holds kMax locks at once holds further ones unseen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace heddle::recorder {

class HeldLocks {
  public:
    /// Whether this is the outermost acquisition.
    bool acquire(std::uint32_t lock, bool shared) noexcept {
        if (Held* held = find(lock); held != nullptr) {
            ++held->depth;
            return false;
        }
        if (count_ == kMax) return false;
        held_[count_++] = {lock, 1, shared};
        return true;
    }
    /// A lock that is held is given up by the system when its owner ends.
    void mark_robust(std::uint32_t lock) noexcept {
        if (Held* held = find(lock); held != nullptr) held->robust = true;
    }
    /// Takes out a lock that the system gives up, one at a time; nothing when there is none left.
    [[nodiscard]] std::optional<std::uint32_t> take_robust() noexcept {
        for (std::size_t i = count_; i-- > 0;) {
            if (!held_[i].robust) continue;
            const std::uint32_t lock = held_[i].lock;
            held_[i] = held_[--count_];
            return lock;
        }
        return std::nullopt;
    }

    enum class Release : std::uint8_t { not_held, inner, exclusive, shared };
    [[nodiscard]] Release release(std::uint32_t lock) noexcept {
        Held* held = find(lock);
        if (held == nullptr) return Release::not_held;
        if (--held->depth > 0) return Release::inner;
        const bool shared = held->shared;
        *held = held_[--count_];
        return shared ? Release::shared : Release::exclusive;
    }

    /// Gives up all acquisitions of the lock, as a wait on a condition does; how many they were.
    [[nodiscard]] std::uint32_t release_all(std::uint32_t lock) noexcept {
        Held* held = find(lock);
        if (held == nullptr) return 0;
        const std::uint32_t depth = held->depth;
        *held = held_[--count_];
        return depth;
    }
    void acquire_again(std::uint32_t lock, std::uint32_t depth) noexcept {
        if (acquire(lock, false)) find(lock)->depth = depth;
    }
    [[nodiscard]] bool holds(std::uint32_t lock) noexcept { return find(lock) != nullptr; }
    [[nodiscard]] bool none() const noexcept { return count_ == 0; }
    void clear() noexcept { count_ = 0; }

  private:
    struct Held {
        std::uint32_t lock;
        std::uint32_t depth;
        bool shared;
        bool robust = false;
    };
    static constexpr std::size_t kMax = 256;

    [[nodiscard]] Held* find(std::uint32_t lock) noexcept {
        for (std::size_t i = count_; i-- > 0;) {
            if (held_[i].lock == lock) return &held_[i];
        }
        return nullptr;
    }

    Held held_[kMax]{};
    std::size_t count_ = 0;
};

} // namespace heddle::recorder
