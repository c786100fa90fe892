// A machine that keeps what it was made to take, and can be asked to bring a strand somewhere together with
// whatever stands in its way.
#pragma once

#include "analysis/witness/machine.h"

#include <utility>
#include <vector>

namespace heddle {

/// The steps of a program in the order in which they are taken: of which strand each is.
using Interleaving = std::vector<StrandNumber>;

class Runner {
  public:
    explicit Runner(const WindowProgram& program) : machine_(program), busy_(program.strands.size()) {}

    [[nodiscard]] const Machine& machine() const { return machine_; }
    [[nodiscard]] const WindowProgram& program() const { return machine_.program(); }
    void take(StrandNumber strand) {
        machine_.take(strand);
        run_.push_back(strand);
    }
    [[nodiscard]] Interleaving finish() { return std::move(run_); }

    /// Runs the strand that far; where it is held up, first whoever holds it up. False: it did not get there.
    [[nodiscard]] bool bring(WindowProgram::Progress target) {
        if (busy_[target.strand]) return false; // it waits for itself
        busy_[target.strand] = true;
        bool possible = true;
        while (possible && !machine_.reached(target)) {
            if (machine_.can_take(target.strand)) {
                take(target.strand);
                continue;
            }
            const auto obstacle = machine_.obstacle(target.strand);
            possible = obstacle && obstacle->steps <= end_of(obstacle->strand) && bring(*obstacle);
        }
        busy_[target.strand] = false;
        return possible;
    }

  private:
    [[nodiscard]] std::size_t end_of(StrandNumber strand) const {
        return program().strands[strand].steps.size();
    }

    Machine machine_;
    std::vector<bool> busy_; ///< being brought somewhere
    Interleaving run_;
};

} // namespace heddle
