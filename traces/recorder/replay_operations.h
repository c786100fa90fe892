// The words of a replay plan (docs/replay.md, "The plan"): what a step does and what it is there for. Shared
// by who writes plans and the recorder that follows them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heddle::replay {

inline constexpr std::string_view kPlanHeader = "heddle-replay-plan 1";
inline constexpr std::string_view kResultHeader = "heddle-replay-result 1";

/// What a thread does at a step, as the recorder meets it: a wait for a condition is `wait` until its mutex
/// is given up, and `wake` from when it is taken again.
enum class Operation : std::uint8_t {
    read,
    write,
    atomic, ///< which kind it was is known only afterwards
    fence,
    acquire,
    acquire_shared,
    release,
    fork,
    join,
    wait,
    wake,
    notify,
    barrier,
    sem_post,
    sem_wait,
    once,
    once_done,
};
inline constexpr std::array<std::string_view, 17> kOperationNames = {
    "read", "write", "atomic", "fence",   "acquire",  "acquire_shared", "release", "fork",     "join",
    "wait", "wake",  "notify", "barrier", "sem_post", "sem_wait",       "once",    "once_done"};

[[nodiscard]] constexpr bool is_plain(Operation operation) noexcept {
    return operation <= Operation::write;
}
[[nodiscard]] constexpr bool is_access(Operation operation) noexcept {
    return operation <= Operation::atomic;
}
/// Whether the thread has a lock then that it did not have before: a wait for a condition ends with its
/// mutex.
[[nodiscard]] constexpr bool takes_lock(Operation operation) noexcept {
    return operation == Operation::acquire || operation == Operation::acquire_shared ||
           operation == Operation::wake;
}

/// What a step is there for.
enum class Role : std::uint8_t {
    order, ///< others come before or after it; missed, it counts as done
    hold,  ///< beyond the schedule: must not happen before what it needs; may never be reached
    stand, ///< a race's access, or a deadlock's request: whoever is there stays
    holds, ///< takes the lock that the deadlock's thread `part` holds
    first, ///< the accesses of an atomicity violation
    remote,
    second,
};
inline constexpr std::array<std::string_view, 7> kRoleNames = {"order", "hold",   "stand", "holds",
                                                               "first", "remote", "second"};

[[nodiscard]] constexpr bool is_final(Role role) noexcept {
    return role >= Role::stand;
}

/// What of an access's address is the same in another run.
enum class AddressRule : std::uint8_t {
    any,
    exact, ///< in a module
    low,   ///< the lower twelve bits: memory of the heap moves by whole pages
};
inline constexpr std::uint64_t kLowMask = 0xFFF;

enum class Violation : std::uint8_t { race, atomicity, deadlock };
inline constexpr std::array<std::string_view, 3> kViolationNames = {"race", "atomicity", "deadlock"};

/// No plan is larger; a schedule that needs more is not replayed.
inline constexpr std::size_t kMaxSteps = 1U << 20U;
inline constexpr std::size_t kMaxNeeds = 4 * kMaxSteps;
inline constexpr std::size_t kMaxPlanThreads = 1U << 16U;
inline constexpr std::size_t kMaxPlanModules = 4096;
inline constexpr std::size_t kMaxPlanBytes = std::size_t{256} << 20U;
inline constexpr std::uint32_t kMaxParts = 64; ///< threads of a deadlock

} // namespace heddle::replay
