// The search for a schedule that leads to one property, cheap to dear: prefix extension, history schedule,
// linearisation, solver. Windows begin as late as the property allows and reach back only when that was too
// late: before the locks that its threads hold, then to the start of the run if that is near.
//
// What it costs is bounded by the budget and by the window, never by the run.
#pragma once

#include "analysis/phase_one.h"
#include "analysis/property.h"
#include "analysis/ucg.h"
#include "analysis/verdict.h"
#include "analysis/witness/budget.h"
#include "analysis/witness/data_order.h"
#include "analysis/witness/run_index.h"
#include "analysis/witness/runner.h"
#include "analysis/witness/solver_pool.h"
#include "analysis/witness/window.h"
#include "analysis/witness/window_program.h"
#include "traces/trace.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// The run in which witnesses are looked for.
struct WitnessContext {
    const Trace& trace;
    const CausalityGraph& causality;
    const RunIndex& index;
    const DataOrder& order;
    const PhaseOne& locks; ///< that threads hold
    const WitnessBudget& budget;
    bool given_transactions = false; ///< there are some that the trace does not tell of
    const SourceBlocks* source = nullptr;
};

struct PropertyAnswer {
    enum class Outcome : std::uint8_t { witnessed, refuted, open };
    Outcome outcome = Outcome::open;
    WitnessStage by = WitnessStage::prefix_extension; ///< unless open
    Schedule schedule;                                ///< when witnessed
    bool by_data = true;                              ///< when refuted: else synchronisation alone does it
    std::string why;                                  ///< unless witnessed
};

class PropertySearch {
  public:
    PropertySearch(const WitnessContext& context, Property property);

    [[nodiscard]] const Property& property() const { return property_; }

    /// Synchronisation alone rules it out, as far as a small window tells.
    [[nodiscard]] bool infeasible();
    /// What every witness must take cannot be put in order, because of locks and of what was read.
    [[nodiscard]] bool contradictory() const;

    // In this order. Open: go on with the next.
    [[nodiscard]] PropertyAnswer without_backtracking();
    [[nodiscard]] PropertyAnswer with_backtracking();
    [[nodiscard]] PropertyAnswer with_solver(SolverPool& solvers);
    /// Tells the solvers which windows they will be asked about. To be called before.
    void prepare(SolverPool& solvers);

  private:
    struct Candidate {
        Window window;
        WindowProgram program;
    };

    void make_windows();
    void add_window(std::optional<Window> window);
    [[nodiscard]] PropertyAnswer witnessed(const WindowProgram& program, Interleaving run,
                                           WitnessStage by) const;
    [[nodiscard]] PropertyAnswer refuted(const WindowProgram& program) const;
    [[nodiscard]] PropertyAnswer solved(Schedule schedule) const;

    WitnessContext context_;
    Property property_;
    std::vector<Candidate> candidates_; ///< late bases first
    void look_at_causality();

    bool causality_known_ = false;
    bool infeasible_ = false;
    std::optional<UcgProjection> projection_; ///< of the causality graph, if its window is small
    bool too_large_ = false;                  ///< a window was
};

} // namespace heddle
