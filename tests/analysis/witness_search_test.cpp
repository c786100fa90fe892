// The search for witnesses against the truth: a witness is found iff there is one, and with little to spend
// only "found" turns into "not known".
#include "analysis/analyzer.h"
#include "analysis/witness/checker.h"
#include "analysis/witness/property_search.h"
#include "random_traces.h"
#include "small_traces.h"
#include "traces/generator.h"
#include "traces/trace_builder.h"
#include "witness_oracle.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace heddle {
namespace {

using testing_support::any_valued;
using testing_support::in_words;
using testing_support::Oracle;
using testing_support::random_traces;
using testing_support::small_trace;
using testing_support::text_of;
using testing_support::trace_of;
using testing_support::WitnessOracle;
using Outcome = PropertyAnswer::Outcome;

std::vector<Property> properties_of(const Oracle& oracle) {
    std::vector<Property> result = oracle.all_races();
    for (const auto& more : {oracle.all_atomicity_violations(), oracle.all_deadlocks()})
        result.insert(result.end(), more.begin(), more.end());
    return result;
}

/// A trace with all that the search needs to know of it.
struct Searched {
    explicit Searched(Trace run) : trace(std::move(run)), causality(trace) {
        index.extend(trace);
        order = DataOrder(trace, causality.seeds(), index);
        locks.extend(trace);
    }
    [[nodiscard]] PropertyAnswer search(const Property& property, const WitnessBudget& budget) const {
        PropertySearch search({trace, causality, index, order, locks, budget}, property);
        if (search.infeasible()) return {.outcome = Outcome::refuted, .by_data = false};
        PropertyAnswer answer = search.without_backtracking();
        if (answer.outcome == Outcome::open) answer = search.with_backtracking();
        if (answer.outcome != Outcome::open) return answer;
        SolverPool solvers(causality, index,
                           {.max_events = budget.solver_window, .effort = budget.solver_effort});
        search.prepare(solvers);
        return search.with_solver(solvers);
    }

    Trace trace;
    CausalityGraph causality;
    RunIndex index;
    DataOrder order;
    PhaseOne locks;
};

TEST(WitnessSearch, finds_a_witness_iff_there_is_one) {
    const WitnessBudget large{.steps = 1'000'000, .solver_effort = 1'000'000'000};
    std::array<std::size_t, 3> by_kind{};
    std::size_t beyond = 0; // the fewest switches
    for (const std::uint64_t seed : random_traces(20'000)) {
        const Searched run(small_trace(any_valued(seed)));
        WitnessOracle oracle(run.trace);
        ASSERT_FALSE(oracle.too_large());
        for (const Property& property : properties_of(oracle.synchronisation())) {
            const auto where = [&] {
                return fmt::format("seed {} {}\n{}", seed, in_words(property), text_of(run.trace));
            };
            const auto fewest = oracle.fewest_switches(property);
            ASSERT_TRUE(!fewest || run.order.allows(run.trace, property)) << where();
            const PropertyAnswer answer = run.search(property, large);
            ASSERT_EQ(answer.outcome, fewest ? Outcome::witnessed : Outcome::refuted) << where();
            if (!fewest) continue;
            ++by_kind[property.index()];
            ASSERT_TRUE(oracle.is_witness(property, answer.schedule)) << where();
            ASSERT_TRUE(check_witness(run.trace, property, answer.schedule)) << where();
            std::size_t switches = 0;
            for (std::size_t k = 1; k < answer.schedule.steps.size(); ++k)
                switches += run.trace[answer.schedule.steps[k]].thread() !=
                                    run.trace[answer.schedule.steps[k - 1]].thread()
                                ? 1U
                                : 0U;
            ASSERT_LE(switches, *fewest + 2) << where();
            beyond = std::max(beyond, switches - std::min(switches, *fewest));
        }
    }
    EXPECT_THAT(by_kind, testing::Each(testing::Gt(0U)));
    std::cout << by_kind[0] + by_kind[1] + by_kind[2] << " witnesses, at most " << beyond
              << " switches more than needed\n"; // tests/bench/witness reads it
}

TEST(WitnessSearch, with_little_to_spend_knows_less_but_nothing_wrong) {
    std::size_t open = 0;
    for (const std::uint64_t seed : random_traces(1'000)) {
        const Searched run(small_trace(any_valued(seed)));
        WitnessOracle oracle(run.trace);
        const WitnessBudget tiny{.window = seed % 7,
                                 .steps = seed % 5,
                                 .solver_window = seed % 11,
                                 .solver_effort = seed % 3 * 1000};
        for (const Property& property : properties_of(oracle.synchronisation())) {
            const PropertyAnswer answer = run.search(property, tiny);
            open += answer.outcome == Outcome::open ? 1U : 0U;
            if (answer.outcome == Outcome::open) continue;
            ASSERT_EQ(answer.outcome == Outcome::witnessed, oracle.witnessed(property))
                << "seed " << seed << " " << in_words(property) << "\n"
                << text_of(run.trace);
        }
    }
    EXPECT_GT(open, 100U);
}

/// The locks that a deadlock asks for, the least first: what tells deadlocks apart where there are no places.
std::vector<std::uint32_t> cycle_of(const Trace& trace, const Property& property) {
    std::vector<std::uint32_t> locks;
    for (const EventId request : events_of(property)) locks.push_back(trace[request].target());
    std::rotate(locks.begin(), std::ranges::min_element(locks), locks.end());
    return locks;
}

/// The same place for all: everything that happens to a variable is one finding.
bool about(const Finding& finding, const Trace& trace, const Property& property) {
    if (finding.property.index() != property.index()) return false;
    if (finding.kind() == FindingKind::deadlock)
        return cycle_of(trace, finding.property) == cycle_of(trace, property);
    return trace[events_of(finding.property).front()].target() == trace[events_of(property).front()].target();
}

TEST(WitnessSearch, tells_of_findings_what_holds_for_the_events_behind_them) {
    AnalyzeOptions options{.witnesses = true};
    options.witness_budget = {.combinations = 10'000, .steps = 1'000'000, .solver_effort = 1'000'000'000};
    std::array<std::size_t, 3> verdicts{};
    for (const std::uint64_t seed : random_traces(3'000)) {
        const Trace trace = small_trace(any_valued(seed));
        WitnessOracle oracle(trace);
        const std::vector<Property> properties = properties_of(oracle.synchronisation());
        for (const Finding& finding : analyze(trace, options).findings) {
            const std::string where =
                "seed " + std::to_string(seed) + " " + in_words(finding.property) + "\n" + text_of(trace);
            if (const auto* witnessed = std::get_if<Witnessed>(&finding.verdict)) {
                ++verdicts[0];
                ASSERT_TRUE(oracle.is_witness(finding.property, witnessed->schedule)) << where;
            } else if (std::holds_alternative<Refuted>(finding.verdict)) {
                ++verdicts[1];
                for (const Property& property : properties)
                    ASSERT_FALSE(about(finding, trace, property) && oracle.witnessed(property))
                        << in_words(property) << " of " << where;
            } else {
                ++verdicts[2];
                // Races and deadlocks are looked at one and all.
                ASSERT_EQ(finding.kind(), FindingKind::atomicity) << where;
            }
        }
    }
    EXPECT_GT(verdicts[0], 1000U);
    EXPECT_GT(verdicts[1], 500U);
    EXPECT_LT(verdicts[2] * 50, verdicts[0]);
}

std::string kind_of(const Verdict& verdict) {
    if (const auto* refuted = std::get_if<Refuted>(&verdict))
        return "refuted by " + std::string(kFilterNames[static_cast<std::size_t>(refuted->by)]);
    if (std::holds_alternative<Witnessed>(verdict)) return "witnessed";
    return std::holds_alternative<Possible>(verdict) ? "possible" : "undecided";
}

TEST(WitnessSearch, a_run_that_grows_has_the_witnesses_of_a_fresh_one) {
    AnalyzeOptions options{.witnesses = true};
    std::size_t alike = 0;
    std::size_t known_from_before = 0;
    for (const std::uint64_t seed : random_traces(300)) {
        const Trace whole = seed % 3 == 0 ? generate(every_kind(seed)) : small_trace(any_valued(seed));
        TraceBuilder builder;
        Analyzer analyzer(options);
        std::array<std::uint32_t, kObjectKinds> known{};
        const auto know = [&](ObjectKind kind, std::uint32_t id) {
            for (std::uint32_t& next = known[static_cast<std::size_t>(kind)]; next <= id; ++next)
                static_cast<void>(builder.object_named(kind, whole.display_name(kind, next)));
        };
        std::size_t taken = 0;
        for (std::size_t step = 1; step <= 4; ++step) {
            for (; taken < whole.size() * step / 4; ++taken) {
                const EventView event = whole[EventId{taken}];
                Event copy = whole.spelled_out(event);
                know(ObjectKind::thread, event.thread().value);
                if (const auto kind = traits(event.kind()).target; kind && event.has_target())
                    know(*kind, event.target());
                copy.stack = {};
                builder.add(copy);
            }
            const Trace trace = builder.snapshot();
            const Analysis& grown = analyzer.extend(trace);
            const Analysis fresh = analyze(trace, options);
            ASSERT_EQ(grown.findings.size(), fresh.findings.size()) << "seed " << seed;
            for (std::size_t i = 0; i < fresh.findings.size(); ++i) {
                ASSERT_EQ(grown.findings[i].key, fresh.findings[i].key) << "seed " << seed;
                const auto* witnessed = std::get_if<Witnessed>(&grown.findings[i].verdict);
                ASSERT_TRUE(!witnessed ||
                            check_witness(trace, grown.findings[i].property, witnessed->schedule));
                // It may have been found while the run was short enough to be searched as a whole.
                if (witnessed != nullptr && std::holds_alternative<Possible>(fresh.findings[i].verdict)) {
                    ++known_from_before;
                    continue;
                }
                ASSERT_EQ(kind_of(grown.findings[i].verdict), kind_of(fresh.findings[i].verdict))
                    << "seed " << seed << " " << in_words(fresh.findings[i].property) << "\n"
                    << text_of(trace);
                ++alike;
            }
        }
    }
    EXPECT_LE(known_from_before * 1000, alike);
}

TEST(WitnessSearch, no_schedule_that_is_found_is_refused_by_the_checker) {
    AnalyzeOptions options{.refuted = false, .witnesses = true, .max_findings = 50};
    std::size_t witnessed = 0;
    for (const std::uint64_t seed : random_traces(12)) {
        GeneratorSettings settings = seed % 2 == 0 ? realistic() : every_kind(seed);
        settings.seed = seed;
        settings.events = 20'000;
        const Trace trace = generate(settings);
        for (const Finding& finding : analyze(trace, options).findings) {
            witnessed += std::holds_alternative<Witnessed>(finding.verdict) ? 1U : 0U;
            const auto* possible = std::get_if<Possible>(&finding.verdict);
            if (possible == nullptr) continue;
            EXPECT_THAT(possible->unwitnessed, testing::Not(testing::HasSubstr("refused")))
                << "seed " << seed;
        }
    }
    EXPECT_GT(witnessed, 100U);
}

// A remote read-modify-write that sees something else leaves what nobody knows, also to a read of what the
// run wrote only later.
TEST(WitnessSearch, lets_no_read_see_what_nobody_knows) {
    const Searched run(trace_of(R"(
        T0 sem_init(s) count=1
        T0 acq(l)
        T0 w(x) =1
        T0 sem_wait(s)
        T0 atomic_store(x) relaxed =1
        T0 w(x) =2
        T2 r(x) =2
        T2 sem_post(s)
        T1 sem_wait(s)
        T1 atomic_rmw(x) =2->0
    )"));
    const Property violation =
        AtomicityViolation{EventId{2U}, EventId{9U}, EventId{4U}, AtomicityPattern::www};
    WitnessOracle oracle(run.trace);
    ASSERT_FALSE(oracle.witnessed(violation));
    EXPECT_EQ(run.search(violation, {}).outcome, Outcome::refuted);
}

// --- the papers' figures -------------------------------------------------------------------------------

Verdict only_race(std::string_view text) {
    AnalyzeOptions options{.atomicity = false, .deadlocks = false, .refuted = false, .witnesses = true};
    const Analysis analysis = analyze(trace_of(text), options);
    EXPECT_EQ(analysis.findings.size(), 1U);
    return analysis.findings.empty() ? Verdict() : analysis.findings.front().verdict;
}

// Shacham, Sagiv, Schuster, Fig. 7: no access before the one that the warning names can take part in a race
// with it, but one after it can.
TEST(WitnessSearch, goes_forward_from_the_warning) {
    const Verdict verdict = only_race(R"(
        T2 acq(lx)
        T2 acq(ly)
        T2 r(x)
        T2 rel(ly)
        T2 rel(lx)
        T1 acq(lx)
        T1 acq(ly)
        T1 r(x)
        T1 rel(ly)
        T1 rel(lx)
        T2 acq(lx)
        T2 w(x) =7
        T2 rel(lx)
        T2 acq(ly)
        T2 r(x) @warning =7
        T2 rel(ly)
        T1 acq(lx)
        T1 w(x) @other =7
        T1 rel(lx)
    )");
    const auto* witnessed = std::get_if<Witnessed>(&verdict);
    ASSERT_NE(witnessed, nullptr);
    EXPECT_EQ(witnessed->by, WitnessStage::prefix_extension);
}

// Fig. 5 and 9: the race of the running example, behind two different locks.
TEST(WitnessSearch, stalls_the_thread_of_the_first_access) {
    const Verdict verdict = only_race(R"(
        T1 acq(key)
        T1 r(items) =0
        T1 rel(key)
        T2 acq(key)
        T2 r(items) @first =0
        T2 rel(key)
        T1 acq(del)
        T1 w(items) @second =1
        T1 rel(del)
    )");
    const auto* witnessed = std::get_if<Witnessed>(&verdict);
    ASSERT_NE(witnessed, nullptr);
    EXPECT_EQ(witnessed->by, WitnessStage::prefix_extension);
}

// The thread writes x in one cell before and after it gives l1 to the other: the first write, which stands
// for both, cannot meet the read.
TEST(WitnessSearch, looks_at_accesses_that_the_graph_did_not_try) {
    const Verdict verdict = only_race(R"(
        T0 acq(l1)
        T0 fork(T1)
        T0 w(x)
        T0 acq(l0)
        T0 rel(l1)
        T0 acq(l1)
        T0 rel(l0)
        T0 w(x)
        T0 acq(l0)
        T0 rel(l1)
        T1 acq(l1)
        T1 w(x) =1
        T1 rel(l1)
        T1 r(x) =1
    )");
    EXPECT_TRUE(std::holds_alternative<Witnessed>(verdict));
}

TEST(WitnessSearch, says_which_read_stands_against_it) {
    AnalyzeOptions options{.atomicity = false, .witnesses = true};
    const Analysis analysis = analyze(trace_of("T1 w(x) @a\nT1 w(ready) =0\nT2 r(ready) =0\nT1 w(ready) =1\n"
                                               "T2 atomic_load(ready) @check relaxed =1\nT2 w(x) @b"),
                                      options);
    const auto of_x = std::ranges::find_if(analysis.findings, [&](const Finding& finding) {
        return finding.accesses.front().event == EventId{0U};
    });
    ASSERT_NE(of_x, analysis.findings.end());
    const auto* refuted = std::get_if<Refuted>(&of_x->verdict);
    ASSERT_NE(refuted, nullptr);
    EXPECT_EQ(refuted->by, Filter::data);
}

} // namespace
} // namespace heddle
