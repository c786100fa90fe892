// What a replay tells whoever started it: lines in the file that HEDDLE_REPLAY_RESULT names (docs/replay.md).
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::recorder::replay {

/// Of a thread of the plan, as it was when the replay diverged.
struct ActorState {
    std::uint32_t thread = 0;
    std::uint32_t activity = 0;
    std::uint32_t next = 0;
};
inline constexpr std::size_t kMaxToldActors = 64;

/// Makes the file. False: another process has, and follows the plan.
[[nodiscard]] bool claim_result() noexcept;
void write_confirmed(std::uint64_t address, const std::uint32_t* threads, std::size_t count) noexcept;
void write_diverged(const char* why, std::uint32_t thread, std::uint32_t step, const ActorState* actors,
                    std::size_t count) noexcept;
/// The process ended by itself first.
void write_exited(int status) noexcept;
/// The plan cannot be followed by this program, which is not run.
[[noreturn]] void refuse(const char* why, const char* about) noexcept;

} // namespace heddle::recorder::replay
