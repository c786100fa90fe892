// What the steps of an interleaving have to do with each other: each other order of them that keeps their
// dependences leads to the same state, and so do fewer of them if nothing depends on what is left out.
#pragma once

#include "analysis/witness/runner.h"

#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

class StepOrder {
  public:
    StepOrder(const WindowProgram& program, const Interleaving& interleaving);

    /// What a step has to come after: steps that it needs, and steps that would come to nothing or to
    /// something else after it.
    [[nodiscard]] std::span<const WindowProgram::Progress> needs(StrandNumber strand,
                                                                 std::uint32_t step) const {
        return after_[number_[strand][step]];
    }

    /// The interleaving without the steps that `ends` do not need. Each thread's last steps only.
    [[nodiscard]] Interleaving without_needless(std::span<const WindowProgram::Progress> ends) const;

  private:
    using Progress = WindowProgram::Progress;

    /// One step of the interleaving.
    struct Place {
        StrandNumber strand = 0;
        std::uint32_t step = 0;
        std::vector<Progress>
            uses; ///< what it could not do without; those of `after_` may also just be in the way
    };
    /// Who last did what to a lock, a semaphore or a slot of memory.
    struct Lock {
        std::vector<Progress> shared; ///< releases since
        std::vector<Progress> owned;  ///< the last release
    };
    struct Slot {
        std::vector<Progress> writer;
        std::vector<Progress> readers;
    };

    void add(const WindowProgram::Step& step, Place& place, std::vector<Progress>& after);
    void add_accesses(const WindowProgram::Step& step, Place& place, std::vector<Progress>& after);
    [[nodiscard]] bool close_sections(std::vector<std::uint32_t>& kept) const;

    const WindowProgram& program_;
    std::vector<Place> places_;                      ///< in the interleaving's order
    std::vector<std::vector<Progress>> after_;       ///< likewise
    std::vector<std::vector<std::uint32_t>> number_; ///< by strand and step: its place
    std::vector<Lock> locks_;
    std::vector<std::vector<Progress>> semaphores_; ///< the last operation
    std::vector<std::vector<Progress>> posts_;
    std::vector<Slot> slots_;
};

} // namespace heddle
