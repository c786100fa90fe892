// The course that a replay takes: which steps of the plan are done, who waits for them, and how it ended.
//
// A thread that must not go on waits on a futex, the word of the step that it needs; whoever completes the
// step wakes it. Nothing here allocates once the course has begun. When the outcome is settled everybody goes
// on freely, or the process ends (Outcome).
#pragma once

#include "traces/recorder/replay_plan.h"
#include "traces/recorder/shadow.h"

#include <atomic>
#include <cstdint>

namespace heddle::recorder::replay {

using namespace heddle::replay;

struct Step {
    std::atomic<std::uint32_t> done{0}; ///< a futex
    std::uint64_t place = 0;            ///< as loaded; 0: its module is not
    std::uint64_t address = 0;
    const PlanStep* plan = nullptr;
    std::uint32_t number = 0;
    Step* goal = nullptr; ///< the violation's access that its thread comes to before it synchronises again
};

/// Where a thread stands, or what it did at a step of the violation.
struct Deed {
    std::atomic<bool> there{false};
    Address address = 0;
    std::size_t size = 0;
    bool writes = false;      ///< of a lock: alone
    std::uint32_t thread = 0; ///< of the plan
};

/// What a thread of the plan is doing, for the explanation if nothing comes of it.
enum class Activity : std::uint8_t { unborn, running, parked, ended };
struct Actor {
    std::atomic<Activity> activity{Activity::unborn};
    std::atomic<std::uint32_t> next{0}; ///< the step that it has not done yet, or the number of steps
    std::atomic<std::uint32_t> os_thread{0};
    std::atomic<const void*> parked_on{nullptr};
};

/// Whether a plan is to be followed by this process, which is then the only one.
[[nodiscard]] bool begin_course() noexcept;

[[nodiscard]] const Plan& plan() noexcept;
[[nodiscard]] Step* step(std::uint32_t number) noexcept;
[[nodiscard]] Actor& actor(std::uint32_t thread) noexcept;

extern std::atomic<bool> course_over;
/// The outcome is settled: nobody is to be held up any more.
[[nodiscard]] inline bool is_over() noexcept {
    return course_over.load(std::memory_order_acquire);
}

/// Waits until all that the step needs is done.
void await_needs(std::uint32_t thread, const Step& step) noexcept;
[[nodiscard]] bool has_needs_left(const Step& step) noexcept;
void complete(Step& step) noexcept;

/// The thread is at the step of the violation, about to do it, and stays until the outcome is settled.
void stand_at(std::uint32_t thread, Step& step, Address address, std::size_t size, bool writes) noexcept;
/// The thread does a step of the violation.
void note_deed(std::uint32_t thread, const Step& step, Address address, std::size_t size,
               bool writes) noexcept;
/// A deadlock's thread gave back the lock that it should hold.
void forget_deed(const Step& step) noexcept;

/// The threads cannot take the course any more. `why`: a word for who tells people; the process ends.
void diverge(const char* why, std::uint32_t thread, std::uint32_t step) noexcept;
/// The process ends by itself. If nothing is settled, that is a divergence.
void process_exits(int status) noexcept;
/// In the child of a fork: it is another process.
void leave_course() noexcept;

} // namespace heddle::recorder::replay
