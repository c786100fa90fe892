// The Universal Causality Graph against brute force on random small traces.
#include "analysis/ucg.h"
#include "oracle.h"
#include "random_traces.h"
#include "small_traces.h"

#include <algorithm>
#include <array>
#include <iostream>

#include <gmock/gmock.h>

namespace heddle {
namespace {

using testing_support::any_small;
using testing_support::in_words;
using testing_support::Oracle;
using testing_support::random_traces;
using testing_support::small_trace;
using testing_support::SmallTraceOptions;
using testing_support::text_of;

struct Tally {
    std::size_t traces = 0;
    std::size_t properties = 0;
    std::size_t infeasible = 0;
    std::size_t kept = 0;                   ///< infeasible, not refuted
    std::size_t wrong = 0;                  ///< feasible, refuted
    std::array<std::size_t, 5> by_reason{}; ///< refutations whose cycle has an edge of that kind
};

/// Each edge begins where the one before ends; steps of program order stay in a thread and go forward.
bool is_cycle(const Trace& trace, const std::vector<CycleEdge>& cycle) {
    for (std::size_t k = 0; k < cycle.size(); ++k) {
        const CycleEdge& edge = cycle[k];
        if (edge.to != cycle[(k + 1) % cycle.size()].from) return false;
        const bool same_thread = trace[edge.from].thread() == trace[edge.to].thread();
        if (edge.reason == CycleReason::program_order && (!same_thread || edge.from >= edge.to)) return false;
    }
    return !cycle.empty();
}

bool has_reason(const UcgVerdict& verdict, CycleReason reason) {
    return std::ranges::any_of(verdict.cycle, [&](const CycleEdge& edge) { return edge.reason == reason; });
}

void compare(const Trace& trace, bool exact, Tally& tally) {
    const Oracle oracle(trace);
    ASSERT_FALSE(oracle.too_large());
    const CausalityGraph graph(trace);
    ++tally.traces;
    for (const auto& properties :
         {oracle.all_races(), oracle.all_atomicity_violations(), oracle.all_deadlocks()})
        for (const Property& property : properties) {
            const bool truth = *oracle.feasible(property);
            const UcgVerdict verdict = graph.decide(property);
            ++tally.properties;
            tally.infeasible += truth ? 0 : 1;
            if (!verdict.feasible && !is_cycle(trace, verdict.cycle)) {
                ADD_FAILURE() << in_words(property) << " no cycle\n"
                              << text_of(trace) << explain(trace, verdict);
            }
            for (std::size_t reason = 0; reason < tally.by_reason.size(); ++reason)
                if (has_reason(verdict, static_cast<CycleReason>(reason))) ++tally.by_reason[reason];
            if (truth && !verdict.feasible) {
                ++tally.wrong;
                ADD_FAILURE() << in_words(property) << " is feasible\n"
                              << text_of(trace) << explain(trace, verdict);
            }
            if (!truth && verdict.feasible) {
                ++tally.kept;
                if (exact) ADD_FAILURE() << in_words(property) << " is infeasible\n" << text_of(trace);
            }
        }
}

std::ostream& operator<<(std::ostream& out, const Tally& tally) {
    return out << tally.traces << " traces, " << tally.properties << " properties, " << tally.infeasible
               << " infeasible, of which kept " << tally.kept << "; feasible but refuted " << tally.wrong
               << "; cycles with seeds " << tally.by_reason[1] << ", locks " << tally.by_reason[2]
               << ", semaphores " << tally.by_reason[3] << ", the property " << tally.by_reason[4];
}

TEST(UcgOracle, is_exact_for_two_threads) {
    Tally tally;
    for (const std::uint64_t seed : random_traces(10'000)) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        SmallTraceOptions options = any_small(seed);
        options.threads = 2;
        compare(small_trace(options), true, tally);
    }
    std::cout << "two threads: " << tally << "\n";
}

TEST(UcgOracle, never_refutes_what_is_feasible) {
    Tally tally;
    for (const std::uint64_t seed : random_traces(10'000)) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        SmallTraceOptions options = any_small(seed ^ 0x5eed'0000U);
        if (options.threads == 2) options.threads = 3;
        compare(small_trace(options), false, tally);
    }
    std::cout << "more threads: " << tally << "\n";
}

/// Long stretches without lock-free points: many locks, one variable.
SmallTraceOptions dense(std::uint64_t seed, std::uint32_t threads) {
    SmallTraceOptions options = any_small(seed);
    options.threads = threads;
    options.events = threads == 2 ? 44 : threads == 3 ? 33 : 26;
    options.locks = 3;
    options.variables = 1;
    options.nested = false;
    return options;
}

TEST(UcgOracle, holds_for_long_dense_traces) {
    Tally two;
    Tally more;
    for (const std::uint64_t seed : random_traces(2'000)) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        compare(small_trace(dense(seed, 2)), true, two);
        compare(small_trace(dense(seed, 3 + seed % 2)), false, more);
    }
    std::cout << "two threads: " << two << "\nmore threads: " << more << "\n";
}

TEST(UcgOracle, counts_semaphores) {
    Tally two;
    Tally more;
    for (const std::uint64_t seed : random_traces(5'000)) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        SmallTraceOptions options = any_small(seed);
        options.semaphores = true;
        options.atomics = options.barriers = options.wait_notify = false;
        options.threads = 2;
        options.events = 32;
        compare(small_trace(options), true, two);
        options.threads = 3 + seed % 2;
        options.events = 26;
        compare(small_trace(options), false, more);
    }
    std::cout << "two threads: " << two << "\nmore threads: " << more << "\n";
}

} // namespace
} // namespace heddle
