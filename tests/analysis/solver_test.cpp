// The solver of witnesses against brute force on random small traces, and what it says.
#include "analysis/ucg.h"
#include "analysis/witness/solver.h"
#include "random_traces.h"
#include "small_traces.h"
#include "traces/trace_builder.h"
#include "witness_oracle.h"

#include <atomic>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

namespace heddle {
namespace {

using testing_support::any_valued;
using testing_support::in_words;
using testing_support::random_traces;
using testing_support::small_trace;
using testing_support::SmallTraceOptions;
using testing_support::text_of;
using testing_support::trace_of;
using testing_support::WitnessOracle;

/// A run with all that a solver needs of it.
struct Recording {
    explicit Recording(const Trace& run) : trace(run), causality(run) { index.extend(run); }

    /// Everything from a base on.
    [[nodiscard]] Window window(std::size_t base = 0) const {
        Window result{.base = EventId{base}, .ends = {}, .complete = base == 0};
        for (std::size_t thread = 0; thread < trace.thread_count(); ++thread)
            result.ends.push_back(static_cast<std::uint32_t>(trace.events_of(ThreadId{thread}).size()));
        return result;
    }
    [[nodiscard]] WindowSolver solver(std::size_t base = 0, SolverLimits limits = {}) const {
        return {causality, index, window(base), std::move(limits)};
    }

    Trace trace;
    CausalityGraph causality;
    RunIndex index;
};

std::vector<Property> properties_of(const WitnessOracle& oracle) {
    std::vector<Property> result = oracle.synchronisation().all_races();
    for (const auto& more :
         {oracle.synchronisation().all_atomicity_violations(), oracle.synchronisation().all_deadlocks()})
        result.insert(result.end(), more.begin(), more.end());
    return result;
}

// --- the truth ---------------------------------------------------------------------------------------

std::string message_of(std::uint64_t seed, const Recording& run, const Property& property,
                       const SolverAnswer& answer) {
    return "seed " + std::to_string(seed) + " " + in_words(property) + " " + answer.why + "\n" +
           text_of(run.trace);
}

struct Tally {
    std::size_t properties = 0;
    std::map<SolverOutcome, std::size_t> outcomes;
    std::uint64_t effort = 0;

    void add(const SolverAnswer& answer) {
        ++properties;
        ++outcomes[answer.outcome];
        effort += answer.effort;
    }
};

std::ostream& operator<<(std::ostream& out, Tally& tally) {
    return out << tally.properties << " properties: found " << tally.outcomes[SolverOutcome::found]
               << ", unreachable " << tally.outcomes[SolverOutcome::unreachable] << ", from here "
               << tally.outcomes[SolverOutcome::unreachable_from_here] << ", undecided "
               << tally.outcomes[SolverOutcome::undecided] << "; effort " << tally.effort;
}

TEST(Solver, finds_a_witness_iff_there_is_one) {
    Tally tally;
    for (const std::uint64_t seed : random_traces(600)) {
        const Recording run(small_trace(any_valued(seed)));
        WitnessOracle oracle(run.trace);
        ASSERT_FALSE(oracle.too_large());
        WindowSolver solver = run.solver();
        for (const Property& property : properties_of(oracle)) {
            const SolverAnswer answer = solver.solve(property);
            tally.add(answer);
            const std::string message = message_of(seed, run, property, answer);
            if (oracle.witnessed(property)) {
                ASSERT_EQ(answer.outcome, SolverOutcome::found) << message;
                ASSERT_TRUE(oracle.is_witness(property, answer.schedule)) << message;
            } else {
                ASSERT_EQ(answer.outcome, SolverOutcome::unreachable) << message;
                ASSERT_FALSE(answer.why.empty()) << message;
                ASSERT_TRUE(answer.by_data || !*oracle.synchronisation().feasible(property)) << message;
            }
        }
    }
    std::cout << tally << "\n";
}

TEST(Solver, with_lemmas_answers_the_same) {
    std::uint64_t with = 0;
    std::uint64_t without = 0;
    for (const std::uint64_t seed : random_traces(150)) {
        const Recording run(small_trace(any_valued(seed)));
        const WitnessOracle oracle(run.trace);
        WindowSolver plain = run.solver();
        WindowSolver helped = run.solver();
        for (const Property& property : properties_of(oracle)) {
            const auto lemmas = run.causality.projection(property);
            if (!lemmas) continue;
            const SolverAnswer a = plain.solve(property);
            const SolverAnswer b = helped.solve(property, &*lemmas);
            ASSERT_EQ(a.outcome, b.outcome) << message_of(seed, run, property, b);
            if (b.outcome == SolverOutcome::found) {
                ASSERT_TRUE(oracle.is_witness(property, b.schedule)) << message_of(seed, run, property, b);
            }
            without += a.effort;
            with += b.effort;
        }
    }
    std::cout << "effort with lemmas " << with << ", without " << without << "\n";
}

TEST(Solver, one_for_all_candidates_answers_like_one_for_each) {
    for (const std::uint64_t seed : random_traces(60)) {
        const Recording run(small_trace(any_valued(seed)));
        const WitnessOracle oracle(run.trace);
        WindowSolver shared = run.solver();
        for (const Property& property : properties_of(oracle)) {
            WindowSolver own = run.solver();
            const SolverAnswer answer = shared.solve(property);
            ASSERT_EQ(answer.outcome, own.solve(property).outcome) << message_of(seed, run, property, answer);
            // And again, with all that it has learned.
            ASSERT_EQ(answer.outcome, shared.solve(property).outcome);
        }
    }
}

// --- windows -----------------------------------------------------------------------------------------

TEST(Solver, is_exact_from_a_later_base_and_never_rules_out_what_another_memory_allows) {
    Tally tally;
    for (const std::uint64_t seed : random_traces(300)) {
        const Recording run(small_trace(any_valued(seed)));
        const std::size_t base = run.trace.size() / (2 + seed % 3);
        WitnessOracle from_here(run.trace, EventId{base}, WitnessOracle::Beginning::as_recorded);
        WitnessOracle from_anywhere(run.trace, EventId{base}, WitnessOracle::Beginning::any);
        WindowSolver solver = run.solver(base);
        for (const Property& property : properties_of(from_here)) {
            const SolverAnswer answer = solver.solve(property);
            tally.add(answer);
            const std::string message = message_of(seed, run, property, answer);
            switch (answer.outcome) {
            case SolverOutcome::found:
                ASSERT_EQ(answer.schedule.base, EventId{base});
                ASSERT_TRUE(from_here.is_witness(property, answer.schedule)) << message;
                break;
            case SolverOutcome::unreachable_from_here:
                ASSERT_FALSE(from_here.witnessed(property)) << message;
                break;
            case SolverOutcome::unreachable:
                ASSERT_FALSE(from_here.witnessed(property)) << message;
                ASSERT_FALSE(from_anywhere.witnessed(property)) << message;
                break;
            case SolverOutcome::undecided:
                ASSERT_EQ(answer.why, "the window does not hold the property") << message;
                ASSERT_FALSE(from_here.witnessed(property)) << message;
            }
        }
    }
    std::cout << tally << "\n";
    EXPECT_GT(tally.outcomes[SolverOutcome::unreachable], 0U);
    EXPECT_GT(tally.outcomes[SolverOutcome::unreachable_from_here], 0U);
}

TEST(Solver, takes_no_event_beyond_the_window) {
    for (const std::uint64_t seed : random_traces(200)) {
        const Recording run(small_trace(any_valued(seed)));
        const WitnessOracle oracle(run.trace);
        Window window = run.window();
        window.complete = false;
        for (std::uint32_t& end : window.ends) end = end * 2 / 3;
        WindowSolver solver(run.causality, run.index, window);
        for (const Property& property : properties_of(oracle)) {
            const SolverAnswer answer = solver.solve(property);
            if (answer.outcome != SolverOutcome::found) continue;
            ASSERT_TRUE(oracle.is_witness(property, answer.schedule))
                << message_of(seed, run, property, answer);
            for (const EventId step : answer.schedule.steps)
                ASSERT_LT(run.trace.index_in_thread(step), window.ends[run.trace[step].thread().value]);
        }
    }
}

// --- limits ------------------------------------------------------------------------------------------

TEST(Solver, with_little_effort_only_gives_up) {
    std::size_t gave_up = 0;
    for (const std::uint64_t seed : random_traces(150)) {
        const Recording run(small_trace(any_valued(seed)));
        WitnessOracle oracle(run.trace);
        WindowSolver solver = run.solver(0, {.effort = 1 + seed * 7 % 300});
        for (const Property& property : properties_of(oracle)) {
            const SolverAnswer answer = solver.solve(property);
            const std::string message = message_of(seed, run, property, answer);
            if (answer.outcome == SolverOutcome::undecided) {
                ++gave_up;
                ASSERT_EQ(answer.why, "the solver's effort is spent");
                continue;
            }
            ASSERT_EQ(answer.outcome == SolverOutcome::found, oracle.witnessed(property)) << message;
            if (answer.outcome == SolverOutcome::found) {
                ASSERT_TRUE(oracle.is_witness(property, answer.schedule)) << message;
            }
        }
    }
    EXPECT_GT(gave_up, 100U);
}

TEST(Solver, says_which_limit_it_reached) {
    const Recording run(trace_of("T1 w(x)\nT1 w(f) =1\nT2 r(f) =1\nT2 w(x)"));
    const Property property = Race{EventId{0U}, EventId{3U}};
    EXPECT_EQ(run.solver(0, {.max_events = 3}).solve(property).why,
              "the window has 4 events, more than the solver's 3");
    EXPECT_EQ(run.solver(0, {.max_rules = 1}).solve(property).why, "the solver needs more than 1 rules");
    EXPECT_EQ(run.solver(1).solve(property).why, "the window does not hold the property");
}

/// Many increments of one counter by several threads: a question that takes Z3 much longer than a test may.
Trace long_puzzle() {
    TraceBuilder builder;
    const std::uint32_t variable = builder.object_named(ObjectKind::variable, "n");
    std::mt19937_64 random(1);
    std::uint64_t content = 0;
    for (std::size_t k = 0; k < 400; ++k) {
        const ThreadId thread{
            builder.object_named(ObjectKind::thread, std::string(1, static_cast<char>('A' + random() % 8)))};
        const std::uint64_t next = random() % 50;
        builder.add({.kind = EventKind::read, .thread = thread, .target = variable, .value = content});
        builder.add({.kind = EventKind::write, .thread = thread, .target = variable, .value = next});
        content = next;
    }
    return builder.snapshot();
}

Property last_race(const Trace& trace) {
    const EventId second{trace.size() - 1};
    EventId first{trace.size() - 2};
    while (trace[first].thread() == trace[second].thread()) --first.value;
    return Race{first, second};
}

TEST(Solver, is_interrupted_by_another_thread) {
    const Recording run(long_puzzle());
    WindowSolver solver = run.solver(0, {.effort = 4'000'000'000});
    std::atomic<bool> over = false;
    std::thread other([&] {
        while (!over) solver.interrupt();
    });
    const SolverAnswer answer = solver.solve(last_race(run.trace));
    over = true;
    other.join();
    EXPECT_EQ(answer.outcome, SolverOutcome::undecided);
    EXPECT_EQ(answer.why, "interrupted");
    EXPECT_EQ(solver.solve(last_race(run.trace)).why, "interrupted");
}

TEST(Solver, asks_whether_to_go_on) {
    const Recording run(trace_of("T1 w(x)\nT1 w(f) =1\nT2 r(f) =1\nT2 w(x)"));
    std::size_t asked = 0;
    WindowSolver solver =
        run.solver(0, {.progress = [&](std::uint64_t, std::uint64_t) { return ++asked < 2; }});
    EXPECT_EQ(solver.solve(Race{EventId{0U}, EventId{3U}}).why, "interrupted");
    EXPECT_EQ(asked, 2U);
}

// --- what it says ------------------------------------------------------------------------------------

/// Why the race of the two events labelled a and b cannot be.
std::string why_not(std::string_view text) {
    const Recording run(trace_of(text));
    std::vector<EventId> ends;
    for (const EventView event : run.trace.events()) {
        const std::string label = run.trace.place_text(run.trace.place_of(event.stack()));
        if (label == "a" || label == "b") ends.push_back(event.id());
    }
    const SolverAnswer answer = run.solver().solve(Race{ends.at(0), ends.at(1)});
    EXPECT_EQ(answer.outcome, SolverOutcome::unreachable);
    EXPECT_TRUE(answer.by_data);
    return answer.why;
}

TEST(Solver, tells_which_value_rules_a_property_out) {
    EXPECT_EQ(why_not(R"(
        T1 w(x) @a
        T1 w(ready) @publish =1
        T2 r(ready) @check =1
        T2 w(x) @b
    )"),
              "needs 'ready' to be 1 at check (event 2, T2), which only publish (event 1, T1) writes");
    EXPECT_EQ(why_not(R"(
        T2 r(ready) @check =0
        T2 w(x) @b
        T1 w(ready) @publish =1
        T2 w(done) =1
        T1 r(done) =1
        T1 w(x) @a
    )"),
              "needs 'done' to be 1 at event 4 (T1), which only event 3 (T2) writes");
    EXPECT_EQ(why_not(R"(
        T1 w(x) @a
        T1 w(n) @once =7
        T1 w(n) @twice =7
        T2 r(n) @check =7
        T2 w(x) @b
    )"),
              "needs 'n' to be 7 at check (event 3, T2), which only once (event 1, T1) and twice (event 2, "
              "T1) write");
}

} // namespace
} // namespace heddle
