#include "analysis/witness/property_search.h"

#include "analysis/ucg_window.h"
#include "analysis/witness/aim.h"
#include "analysis/witness/forced_order.h"
#include "analysis/witness/history_schedule.h"
#include "analysis/witness/linearisation.h"
#include "analysis/witness/minimise.h"
#include "analysis/witness/prefix_extension.h"
#include "traces/describe.h"

#include <algorithm>
#include <utility>

namespace heddle {

namespace {

/// Properties that lie so near the start of the run are shown from the start.
constexpr std::uint32_t kNearStart = 200;
/// A run that is searched as a whole.
constexpr std::size_t kSmallRun = 200;
/// Synchronisation events: properties with larger causality graphs go without.
constexpr std::size_t kMaxCausalityWindow = 2'000;
/// Events before the property's locks that may stand against it.
constexpr std::uint32_t kReach = 256;
/// What minimising may try.
constexpr std::size_t kMinimiseSteps = 4'000;

WindowProgram without_reads(WindowProgram program) {
    for (WindowProgram::Strand& strand : program.strands)
        for (WindowProgram::Step& step : strand.steps) step.last_read = step.first_read;
    return program;
}

std::string in_words(const Trace& trace, EventId id) {
    const EventView event = trace[id];
    std::string text =
        trace.display_name(ObjectKind::thread, event.thread().value) + " " + describe(trace, event);
    const std::string place = trace.place_text(trace.place_for_people(event.stack()));
    return place.empty() ? text : text + " (" + place + ")";
}

/// The first step of an interleaving that reads something else than it should.
EventId first_unfaithful(const WindowProgram& program, const Interleaving& run) {
    Machine machine(program);
    for (const StrandNumber strand : run) {
        if (!machine.can_take(strand)) return machine.next(strand).event;
        machine.take(strand);
    }
    return {};
}

} // namespace

PropertySearch::PropertySearch(const WitnessContext& context, Property property)
    : context_(context), property_(std::move(property)) {}

void PropertySearch::add_window(std::optional<Window> window) {
    if (!window) {
        too_large_ = true;
        return;
    }
    auto program = make_program(context_.trace, context_.causality, context_.index, property_, *window,
                                context_.budget.window);
    if (program) candidates_.push_back({std::move(*window), std::move(*program)});
}

void PropertySearch::make_windows() {
    const WindowMaker maker(context_.trace, context_.causality, context_.index);
    if (context_.trace.size() <= kSmallRun) return add_window(maker.whole(property_, EventId{0U}));
    const std::size_t limit = context_.budget.window;
    if (last_event(property_).value <= kNearStart)
        return add_window(maker.needed(property_, EventId{0U}, limit));
    const EventId late = latest_base(property_);
    const EventId unlocked = maker.base_without_locks(property_);
    add_window(maker.needed(property_, late, limit));
    if (unlocked < late) add_window(maker.needed(property_, unlocked, limit));
}

PropertyAnswer PropertySearch::witnessed(const WindowProgram& program, Interleaving run,
                                         WitnessStage by) const {
    const Interleaving best = minimise(program, std::move(run), kMinimiseSteps);
    return {.outcome = PropertyAnswer::Outcome::witnessed,
            .by = by,
            .schedule = program.schedule(context_.trace, best)};
}

PropertyAnswer PropertySearch::without_backtracking() {
    make_windows();
    for (const Candidate& one : candidates_) {
        if (auto run = extend_prefix(one.program))
            return witnessed(one.program, std::move(*run), WitnessStage::prefix_extension);
        if (auto run = schedule_histories(one.program))
            return witnessed(one.program, std::move(*run), WitnessStage::history_schedule);
    }
    return {.why = "no schedule was found without backtracking"};
}

void PropertySearch::look_at_causality() {
    if (std::exchange(causality_known_, true)) return;
    UcgWindow window(*context_.causality.context(), property_);
    const UcgVerdict verdict = window.decide(kMaxCausalityWindow);
    infeasible_ = verdict.complete && !verdict.feasible;
    if (verdict.complete && verdict.feasible) projection_ = window.projection();
}

bool PropertySearch::contradictory() const {
    const WindowMaker maker(context_.trace, context_.causality, context_.index);
    const EventId near =
        std::min(maker.base_without_locks(property_), std::ranges::min(events_of(property_)));
    const EventId base{near.value > kReach ? near.value - kReach : 0};
    return ForcedOrder(*context_.causality.context(), context_.index, context_.order, property_)
        .contradicts(base, context_.budget.window);
}

bool PropertySearch::infeasible() {
    look_at_causality();
    return infeasible_;
}

PropertyAnswer PropertySearch::with_backtracking() {
    look_at_causality();
    for (Candidate& one : candidates_) {
        if (projection_) add_causality(one.program, *projection_, property_);
        Linearisation found = linearise(one.program, {.steps = context_.budget.steps});
        if (found.outcome == Linearisation::Outcome::found)
            return witnessed(one.program, std::move(found.run), WitnessStage::linearisation);
        if (found.outcome == Linearisation::Outcome::none && one.window.complete &&
            one.window.base.value == 0)
            return refuted(one.program);
    }
    if (candidates_.empty()) return {.why = "its events are too far apart in the run to be searched"};
    return {.why = "no schedule was found within the limits of the search"};
}

PropertyAnswer PropertySearch::refuted(const WindowProgram& program) const {
    PropertyAnswer answer{.outcome = PropertyAnswer::Outcome::refuted, .by = WitnessStage::linearisation};
    const Linearisation some = linearise(without_reads(program), {.steps = context_.budget.steps});
    answer.by_data = some.outcome != Linearisation::Outcome::none;
    if (!answer.by_data) {
        answer.why = "no order of its events keeps what synchronisation asks for";
    } else if (some.outcome == Linearisation::Outcome::found) {
        answer.why =
            "on every schedule that leads there some read sees another value than it did; on the shortest, " +
            in_words(context_.trace, first_unfaithful(program, some.run)) + " would";
    } else {
        answer.why = "on every schedule that leads there some read sees another value than it did";
    }
    return answer;
}

void PropertySearch::prepare(SolverPool& solvers) {
    // A run that the solver can take as a whole need not stay open.
    const std::size_t events = context_.trace.size();
    if (events > kSmallRun && events <= context_.budget.solver_window)
        add_window(
            WindowMaker(context_.trace, context_.causality, context_.index).whole(property_, EventId{0U}));
    for (const Candidate& one : candidates_) solvers.expect(one.window);
}

PropertyAnswer PropertySearch::with_solver(SolverPool& solvers) {
    PropertyAnswer answer{.why = "its events are too far apart in the run to be searched"};
    // The widest window first: what is not in it will not be in another. One that is too wide says nothing.
    for (auto one = candidates_.rbegin(); one != candidates_.rend(); ++one) {
        SolverAnswer said = solvers.of(one->window).solve(property_, projection_ ? &*projection_ : nullptr);
        if (said.outcome == SolverOutcome::found) return solved(std::move(said.schedule));
        if (said.outcome == SolverOutcome::unreachable && one->window.complete)
            return {.outcome = PropertyAnswer::Outcome::refuted,
                    .by = WitnessStage::solver,
                    .by_data = said.by_data,
                    .why = std::move(said.why)};
        if (said.outcome != SolverOutcome::undecided)
            return {.why = "the part of the run that was searched has no schedule that leads there"};
        answer.why = std::move(said.why);
    }
    return answer;
}

/// Makes it shorter, if what it takes can be run as a program of its own.
PropertyAnswer PropertySearch::solved(Schedule schedule) const {
    Window window{.base = schedule.base, .ends = {}};
    for (std::uint32_t thread = 0; thread < context_.trace.thread_count(); ++thread)
        window.ends.push_back(count_before(context_.trace.events_of(ThreadId{thread}), schedule.base.value));
    for (const EventId step : schedule.steps) ++window.ends[context_.trace[step].thread().value];
    const auto program = make_program(context_.trace, context_.causality, context_.index, property_, window,
                                      context_.budget.window);
    if (program) {
        Interleaving run = program->strands_of(context_.trace, schedule);
        if (reaches(*program, run)) return witnessed(*program, std::move(run), WitnessStage::solver);
    }
    return {.outcome = PropertyAnswer::Outcome::witnessed,
            .by = WitnessStage::solver,
            .schedule = std::move(schedule)};
}

} // namespace heddle
