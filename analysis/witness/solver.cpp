#include "analysis/witness/solver.h"

#include "analysis/witness/solver_explanation.h"
#include "analysis/witness/solver_formula.h"
#include "analysis/witness/solver_replay.h"
#include "analysis/witness/solver_window.h"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace heddle {

using solver::BaseMemory;
using solver::BrokenRules;
using solver::Formula;
using solver::Goal;
using solver::Replay;
using solver::SolverWindow;

class WindowSolver::Implementation {
  public:
    Implementation(const CausalityGraph& causality, const RunIndex& index, Window window, SolverLimits limits)
        : limits_(std::move(limits)), window_(causality, index, std::move(window)), formula_(window_) {}

    [[nodiscard]] SolverAnswer solve(const Property& property, const UcgProjection* lemmas) {
        try {
            spent_before_ = formula_.effort();
            SolverAnswer answer = attempt(property, lemmas);
            answer.effort = formula_.effort() - spent_before_;
            return answer;
        } catch (const z3::exception& error) {
            unusable_ = error.msg();
            return undecided(interrupted_ ? "interrupted" : "Z3 failed: " + unusable_);
        }
    }

    void interrupt() {
        interrupted_ = true;
        formula_.context().interrupt();
    }

  private:
    enum class Search : std::uint8_t { found, none, gave_up };

    [[nodiscard]] static SolverAnswer undecided(std::string why) {
        return {.outcome = SolverOutcome::undecided, .schedule = {}, .why = std::move(why)};
    }

    [[nodiscard]] SolverAnswer attempt(const Property& property, const UcgProjection* lemmas) {
        if (stopped()) return undecided("interrupted");
        if (!unusable_.empty()) return undecided("Z3 failed: " + unusable_);
        if (window_.size() > limits_.max_events)
            return undecided(fmt::format("the window has {} events, more than the solver's {}",
                                         window_.size(), limits_.max_events));
        if (!holds(property)) return undecided("the window does not hold the property");
        const Goal goal = formula_.aim(property);
        if (lemmas != nullptr) formula_.state_lemmas(goal, *lemmas);
        SolverAnswer answer = decide(property, goal);
        formula_.retire(goal);
        return answer;
    }

    /// Whether the window reaches from before what the property asks for up to it.
    [[nodiscard]] bool holds(const Property& property) const {
        if (const auto* violation = std::get_if<AtomicityViolation>(&property)) {
            const auto known = [&](EventId event) {
                return window_.before_base(event) || window_.within(event);
            };
            return window_.within(violation->second) && known(violation->first) && known(violation->remote);
        }
        return std::ranges::all_of(events_of(property), [&](EventId stop) {
            const EventId previous = window_.previous(stop);
            return !window_.before_base(stop) &&
                   (!previous.valid() || window_.before_base(previous) || window_.within(previous));
        });
    }

    [[nodiscard]] SolverAnswer decide(const Property& property, const Goal& goal) {
        switch (search(property, goal, BaseMemory::recorded)) {
        case Search::found:
            return {.outcome = SolverOutcome::found, .schedule = {window_.base(), steps_}, .why = {}};
        case Search::gave_up: return undecided(why_);
        case Search::none: break;
        }
        // At the start of the run there is only one memory.
        SolverAnswer answer{.outcome = SolverOutcome::unreachable, .schedule = {}, .why = {}};
        BaseMemory memory = BaseMemory::recorded;
        std::vector<EventId> reads = formula_.contradicting_reads(goal);
        if (window_.base().value > 0 && formula_.contradicts_recorded_memory()) {
            if (search(property, goal, BaseMemory::any) == Search::none) {
                memory = BaseMemory::any;
                reads = formula_.contradicting_reads(goal);
            } else {
                answer.outcome = SolverOutcome::unreachable_from_here;
            }
        }
        reads = fewest(goal, memory, std::move(reads));
        answer.by_data = !reads.empty();
        answer.why = solver::explain(window_, reads);
        return answer;
    }

    /// Solves, runs the solution and states the rules that it breaks, until it breaks none. Leaves the
    /// schedule in steps_, or says in why_ why it gave up.
    [[nodiscard]] Search search(const Property& property, const Goal& goal, BaseMemory memory) {
        for (;;) {
            const std::uint64_t left = effort_left();
            if (left == 0 || !room() || stopped()) return give_up();
            const z3::check_result result = formula_.check(goal, memory, left);
            if (result == z3::unsat) return Search::none;
            if (result == z3::unknown) return give_up();
            Replay replay(window_, formula_, property, memory);
            replay.run();
            if (replay.broken().empty()) {
                steps_ = replay.steps();
                return Search::found;
            }
            if (!state(replay.broken())) {
                why_ = "the solver's solution breaks a rule that it was given";
                return Search::gave_up;
            }
        }
    }

    /// As many as there is room for. False when all of them were stated before.
    bool state(const BrokenRules& broken) {
        bool any = false;
        for (const auto& [event, need] : broken.needs) any |= formula_.state_need(event, need);
        for (const auto& [one, other] : broken.exclusions) any |= formula_.state_exclusion(one, other);
        for (const EventId wait : broken.counts) any |= room() && formula_.state_count(wait);
        for (const EventId read : broken.reads) any |= room() && formula_.state_read(read);
        return any || !room();
    }
    [[nodiscard]] bool room() const { return formula_.size() <= limits_.max_rules; }

    /// Reads that contradict the property, without those that need not be among them, as far as a tenth of
    /// the effort of a query tells.
    [[nodiscard]] std::vector<EventId> fewest(const Goal& goal, BaseMemory memory,
                                              std::vector<EventId> reads) {
        const std::uint64_t end = formula_.effort() + limits_.effort / 10;
        const auto contradict = [&](const std::vector<EventId>& some) {
            const std::uint64_t now = formula_.effort();
            return !stopped() && now < end && formula_.check(goal, memory, end - now, some) == z3::unsat;
        };
        if (contradict({})) return {};
        for (std::size_t at = reads.size(); at-- > 0;) {
            std::vector<EventId> others = reads;
            others.erase(others.begin() + static_cast<std::ptrdiff_t>(at));
            if (contradict(others)) reads = std::move(others);
        }
        return reads;
    }

    [[nodiscard]] std::uint64_t effort_left() const {
        const std::uint64_t spent = formula_.effort() - spent_before_;
        return spent < limits_.effort ? limits_.effort - spent : 0;
    }
    [[nodiscard]] bool stopped() {
        if (!interrupted_ && limits_.progress && !limits_.progress(0, 0)) interrupted_ = true;
        return interrupted_;
    }
    [[nodiscard]] Search give_up() {
        if (interrupted_) {
            why_ = "interrupted";
        } else if (!room()) {
            why_ = fmt::format("the solver needs more than {} rules", limits_.max_rules);
        } else {
            why_ = "the solver's effort is spent";
        }
        return Search::gave_up;
    }

    SolverLimits limits_;
    SolverWindow window_;
    Formula formula_;
    std::atomic<bool> interrupted_ = false;
    std::uint64_t spent_before_ = 0; ///< this query
    std::string unusable_;           ///< what Z3 said when it failed
    std::vector<EventId> steps_;
    std::string why_;
};

WindowSolver::WindowSolver(const CausalityGraph& causality, const RunIndex& index, Window window,
                           SolverLimits limits)
    : implementation_(
          std::make_unique<Implementation>(causality, index, std::move(window), std::move(limits))) {}
WindowSolver::~WindowSolver() = default;
WindowSolver::WindowSolver(WindowSolver&&) noexcept = default;
WindowSolver& WindowSolver::operator=(WindowSolver&&) noexcept = default;

SolverAnswer WindowSolver::solve(const Property& property, const UcgProjection* lemmas) {
    return implementation_->solve(property, lemmas);
}

void WindowSolver::interrupt() {
    implementation_->interrupt();
}

} // namespace heddle
