// Whether anything will still happen in the process: it will not when all threads sleep and nobody has come
// to a step for a while. Asked by threads that wait, at most every few milliseconds.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle::recorder::replay {

class StallWatch {
  public:
    void begin() noexcept;
    /// Somebody came to a step.
    void note_progress() noexcept;
    [[nodiscard]] bool is_late(std::uint32_t limit_ms) const noexcept;
    /// `waits`: whether a thread, by the system's number, waits at a step. Such threads wake up to ask this.
    [[nodiscard]] bool is_stalled(std::uint32_t stall_ms, bool (*waits)(std::uint32_t)) noexcept;

  private:
    std::atomic<std::uint64_t> began_ms_{0};
    std::atomic<std::uint64_t> awake_ms_{0}; ///< when somebody was last seen awake, or came to a step
};

} // namespace heddle::recorder::replay
