// The solvers that the search for one finding asks: one for all windows that lie close together, so that what
// was stated for one combination of events serves the others.
//
// One thread at a time.
#pragma once

#include "analysis/witness/solver.h"
#include "analysis/witness/window.h"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace heddle {

class SolverPool {
  public:
    /// `causality` and `index` must be of the same trace and stay alive.
    SolverPool(const CausalityGraph& causality, const RunIndex& index, SolverLimits limits)
        : causality_(causality), index_(index), limits_(std::move(limits)) {}

    /// This window will be asked for.
    void expect(const Window& window);
    /// The solver of a window that holds this one, which was expected.
    [[nodiscard]] WindowSolver& of(const Window& window);

  private:
    struct Shared {
        Window window;
        std::unique_ptr<WindowSolver> solver; ///< once it is asked for
    };

    [[nodiscard]] std::size_t size_of(const Window& window) const;

    const CausalityGraph& causality_;
    const RunIndex& index_;
    SolverLimits limits_;
    std::vector<Shared> all_;
};

} // namespace heddle
