// How far one thread is on the plan's course.
#pragma once

#include "traces/recorder/replay_course.h"
#include "traces/recorder/shadow.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::recorder::replay {

/// The locks a thread holds, by address: only the outermost acquisition and release are steps.
class HeldAddresses {
  public:
    /// Whether the lock was not held before.
    bool acquire(Address lock) noexcept {
        if (Held* held = find(lock); held != nullptr) return ++held->depth, false;
        if (count_ == kMax) return false;
        held_[count_++] = {lock, 1};
        return true;
    }
    /// Whether it is not held any more.
    bool release(Address lock) noexcept {
        Held* held = find(lock);
        if (held == nullptr || --held->depth > 0) return false;
        *held = held_[--count_];
        return true;
    }
    [[nodiscard]] bool holds(Address lock) noexcept { return find(lock) != nullptr; }

  private:
    struct Held {
        Address lock;
        std::uint32_t depth;
    };
    static constexpr std::size_t kMax = 256; // as many as the recorder knows of

    [[nodiscard]] Held* find(Address lock) noexcept {
        for (std::size_t i = count_; i-- > 0;) {
            if (held_[i].lock == lock) return &held_[i];
        }
        return nullptr;
    }

    Held held_[kMax]{};
    std::size_t count_ = 0;
};

/// A load that saw the same as the one before it, with no synchronisation between, is none (atomics.h).
struct SeenLoad {
    Address address = 0;
    Address place = 0;
    std::uint64_t value = 0;
};

struct Follower {
    static constexpr std::uint32_t kNobody = 0xFFFF'FFFF;

    std::uint32_t thread = kNobody;      ///< of the plan
    std::uint32_t forks = 0;             ///< threads that it tried to create
    std::uint32_t matches = 0;           ///< of the next step, in vain so far
    const std::uint32_t* next = nullptr; ///< numbers of its steps
    const std::uint32_t* end = nullptr;
    Step* made = nullptr;  ///< an access that it was let through to; made by the next callback
    Step* holds = nullptr; ///< where it took the deadlock's lock
    Address held_lock = 0;
    SeenLoad seen;
    int end_rounds = 0;           ///< of the thread's destructors
    std::uint64_t last_value = 0; ///< that a read at the next step's place saw
    HeldAddresses held;

    [[nodiscard]] Step* next_step() const noexcept { return next == end ? nullptr : step(*next); }
    /// The next step, if it is this operation at this place.
    [[nodiscard]] Step* step_at(Operation operation, Address place) const noexcept {
        Step* one = next_step();
        return one != nullptr && one->place == place && one->plan->operation == operation ? one : nullptr;
    }
};

/// The steps of each thread of the plan, in its order.
class Parts {
  public:
    void distribute(const Plan& plan);
    void give(std::uint32_t thread, Follower& follower) const noexcept {
        follower.thread = thread;
        follower.next = numbers_.data() + first_[thread];
        follower.end = numbers_.data() + first_[thread + 1];
    }

  private:
    std::vector<std::uint32_t> numbers_;
    std::vector<std::size_t> first_; ///< by thread
};

} // namespace heddle::recorder::replay
