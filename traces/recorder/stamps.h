// How stamps are made up. The process's counter gives out *eras*, multiples of kEra: who takes one is after
// all that happened so far. Within an era threads count on from each other like Lamport's clocks, without a
// common counter: who acquires a lock or reads an atomic variable takes the *epoch*, a multiple of kEpoch,
// after that of whoever released or wrote it. A thread has one epoch from one synchronisation event to the
// next; two threads may have the same one if neither is after the other. Within its epoch a thread counts
// *turns*, so that what is written late, as history, keeps its place among what is recorded directly; within
// a turn, whoever writes the buffer counts the places of what waited there. Only epochs are compared between
// threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace heddle::recorder {

inline constexpr unsigned kPlaceBits = 6;
inline constexpr unsigned kTurnBits = 7;
inline constexpr std::uint64_t kLastPlace = (std::uint64_t{1} << kPlaceBits) - 1;
inline constexpr std::uint64_t kTurn = std::uint64_t{1} << kPlaceBits;
inline constexpr std::uint64_t kEpoch = kTurn << kTurnBits;
inline constexpr std::uint64_t kLastTurn = kEpoch - kTurn;
inline constexpr unsigned kEpochBits = 8;
inline constexpr std::uint64_t kEra = kEpoch << kEpochBits;

[[nodiscard]] constexpr std::uint64_t epoch_of(std::uint64_t stamp) noexcept {
    return stamp & ~(kEpoch - 1);
}

/// The epoch after both; nothing if the era has no more.
[[nodiscard]] constexpr std::optional<std::uint64_t> epoch_after(std::uint64_t one,
                                                                 std::uint64_t other) noexcept {
    const std::uint64_t next = std::max(epoch_of(one), epoch_of(other)) + kEpoch;
    return next % kEra == 0 ? std::nullopt : std::optional(next);
}

/// Gives places to what waited in a buffer, or was new to the history, in program order. Beyond kLastPlace
/// all have the same.
class Places {
  public:
    /// The stamp of an access that goes into the history: after all others of the turn so far.
    [[nodiscard]] std::uint64_t for_history(std::uint64_t turn) noexcept {
        enter(turn);
        advance();
        after_history_ = true;
        return turn + place_;
    }
    /// The stamp of an event of the stream. Readers put history after events with the same stamp.
    [[nodiscard]] std::uint64_t for_stream(std::uint64_t turn) noexcept {
        enter(turn);
        if (after_history_) advance();
        after_history_ = false;
        return turn + place_;
    }

  private:
    void enter(std::uint64_t turn) noexcept {
        if (turn == turn_) return;
        turn_ = turn;
        place_ = 0;
        after_history_ = false;
    }
    void advance() noexcept { place_ += place_ < kLastPlace ? 1 : 0; }

    std::uint64_t turn_ = 0;
    std::uint64_t place_ = 0;
    bool after_history_ = false;
};

} // namespace heddle::recorder
