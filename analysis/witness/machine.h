// Runs a window's program step by step: what may be taken, and what taking it does. Its state is a flat row
// of numbers, so that searches can keep, compare and restore it.
#pragma once

#include "analysis/witness/window_program.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace heddle {

class Machine {
  public:
    using State = std::vector<std::uint32_t>;

    explicit Machine(const WindowProgram& program);

    [[nodiscard]] const WindowProgram& program() const { return program_; }
    [[nodiscard]] const State& state() const { return state_; }
    void restore(const State& state) { state_ = state; }
    /// Two states from which the same can happen have the same hash.
    [[nodiscard]] std::uint64_t hash() const {
        return std::uint64_t{state_[hash_]} << 32U | state_[hash_ + 1];
    }

    [[nodiscard]] std::uint32_t position(StrandNumber strand) const { return state_[strand]; }
    [[nodiscard]] bool reached(WindowProgram::Progress progress) const {
        return state_[progress.strand] >= progress.steps;
    }
    /// The next step of a strand that has one.
    [[nodiscard]] const WindowProgram::Step& next(StrandNumber strand) const {
        return program_.strands[strand].steps[state_[strand]];
    }
    [[nodiscard]] bool at_end(StrandNumber strand) const {
        return state_[strand] == program_.strands[strand].steps.size();
    }
    /// The property is reached.
    [[nodiscard]] bool done() const;

    /// Whether the strand has a next step, and that is allowed and faithful.
    [[nodiscard]] bool can_take(StrandNumber strand) const;
    void take(StrandNumber strand);

    /// Who has to go how far so that the strand's next step may become possible. Nothing: nobody, or nobody
    /// can be told.
    [[nodiscard]] std::optional<WindowProgram::Progress> obstacle(StrandNumber strand) const;

  private:
    static constexpr std::uint32_t kOwned = 0x8000'0000; ///< of a lock, with the owner; else how many share
    static constexpr std::uint32_t kUnknownContent = 0xFFFF'FFFF;

    /// Changes a number of the state that the hash covers. `meaning`: of what is there, and of what comes.
    void change(std::size_t at, std::uint32_t value, std::uint32_t meaning_before, std::uint32_t meaning);
    [[nodiscard]] std::uint32_t kind_of(std::uint32_t content) const {
        return content == kUnknownContent ? content : program_.contents[content].kind;
    }
    [[nodiscard]] std::uint32_t lock(std::uint32_t number) const { return state_[locks_ + number]; }
    [[nodiscard]] std::uint32_t content(std::uint32_t slot) const { return state_[memory_ + slot]; }
    [[nodiscard]] bool allowed(const WindowProgram::Step& step) const;
    [[nodiscard]] bool sees(const WindowProgram::Read& read) const;
    [[nodiscard]] bool faithful(const WindowProgram::Step& step) const;
    [[nodiscard]] bool is_remote(StrandNumber strand) const {
        return program_.violation && program_.remote.strand == strand &&
               program_.remote.steps == state_[strand] + 1;
    }
    [[nodiscard]] bool is_second(StrandNumber strand) const {
        return program_.violation && program_.strands[strand].fixed &&
               state_[strand] + 1 == program_.strands[strand].steps.size();
    }
    [[nodiscard]] std::optional<WindowProgram::Progress> release_of(std::uint32_t number,
                                                                    StrandNumber except) const;
    [[nodiscard]] std::optional<WindowProgram::Progress> writer_for(const WindowProgram::Read& read,
                                                                    StrandNumber except) const;
    [[nodiscard]] std::optional<WindowProgram::Progress> next_post(std::uint32_t semaphore,
                                                                   StrandNumber except) const;

    const WindowProgram& program_;
    // Where the parts of the state begin; positions of strands come first.
    std::size_t locks_;
    std::size_t semaphores_;
    std::size_t memory_;
    std::size_t frozen_; ///< the remote access saw something else: its thread goes no further
    std::size_t hash_;   ///< of positions, memory and that; locks and semaphores follow from the positions
    State state_;
};

} // namespace heddle
