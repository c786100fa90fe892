// The last and dearest stage of the search for witnesses: Z3 looks for an order of a window's events that
// leads to a property and in which every read sees what it saw. Exact: what it does not find within the
// window is not there, unless it says that it gave up. docs/algorithms.md, "The solver".
//
// The formula is grown on demand. It begins with what the property asks for; a solution of it is run, and
// the rules that it breaks (locks, forced order, counts of semaphores, reads) are added, until a solution
// keeps all rules or none is left. All rules but the property itself hold for every property, so one solver
// serves all candidates of a window, each behind an assumption of its own.
//
// A solver is used by one thread at a time; interrupt() may be called by any. Its Z3 context is its own, so
// several can work at once. Memory grows with the rules that were needed, not with the run. Z3's exceptions
// end here. Expects a trace that keeps the rules (traces/rules.h).
#pragma once

#include "analysis/property.h"
#include "analysis/ucg.h"
#include "analysis/witness/run_index.h"
#include "analysis/witness/schedule.h"
#include "analysis/witness/window.h"
#include "traces/progress.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace heddle {

struct SolverLimits {
    std::size_t max_events = 20'000;   ///< of a window; a larger one is not looked at
    std::uint64_t effort = 20'000'000; ///< of one query, in Z3's own units of work: the same on every machine
    std::size_t max_rules = 200'000;   ///< in the formula, of all queries together
    Progress progress = {};            ///< asked between two attempts; see traces/progress.h
};

enum class SolverOutcome : std::uint8_t {
    found,
    /// No schedule of the window leads there, whatever memory holds at its base. If the window is complete,
    /// none of the run does.
    unreachable,
    /// None does from the window's base with what memory holds there in the recorded run.
    unreachable_from_here,
    undecided, ///< a limit was reached, somebody interrupted, or the window does not hold the property
};

struct SolverAnswer {
    SolverOutcome outcome = SolverOutcome::undecided;
    Schedule schedule;        ///< when found; takes nothing that it does not need
    std::string why;          ///< otherwise: a sentence for people, without a full stop
    bool by_data = false;     ///< of an unreachable property: values had a part in it
    std::uint64_t effort = 0; ///< spent, in Z3's units
};

class WindowSolver {
  public:
    /// `causality` and `index` must be of the same trace and stay alive.
    WindowSolver(const CausalityGraph& causality, const RunIndex& index, Window window,
                 SolverLimits limits = {});
    ~WindowSolver();
    WindowSolver(const WindowSolver&) = delete;
    WindowSolver& operator=(const WindowSolver&) = delete;
    WindowSolver(WindowSolver&&) noexcept;
    WindowSolver& operator=(WindowSolver&&) noexcept;

    /// `lemmas`: the property's projection of the causality graph, if there is one; it only saves effort.
    [[nodiscard]] SolverAnswer solve(const Property& property, const UcgProjection* lemmas = nullptr);

    /// The query under way, if any, and all later ones end undecided. From any thread.
    void interrupt();

  private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

} // namespace heddle
