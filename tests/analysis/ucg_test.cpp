#include "analysis/ucg.h"
#include "small_traces.h"

#include <string>
#include <string_view>

#include <gmock/gmock.h>

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Le;
using testing_support::trace_of;

/// The event at a place "@name".
EventId at(const Trace& trace, std::string_view place) {
    for (const EventView event : trace.events())
        if (trace.place_text(trace.place_of(event.stack())) == place) return event.id();
    ADD_FAILURE() << "nothing at " << place;
    return {};
}

Property race(const Trace& trace) {
    return Race{at(trace, "a"), at(trace, "b")};
}
Property violation(const Trace& trace) {
    return AtomicityViolation{at(trace, "c1"), at(trace, "r"), at(trace, "c2")};
}
UcgVerdict decide(const Trace& trace, const Property& property) {
    return CausalityGraph(trace).decide(property);
}
bool race_feasible(std::string_view text) {
    const Trace trace = trace_of(text);
    return decide(trace, race(trace)).feasible;
}
bool violation_feasible(std::string_view text) {
    const Trace trace = trace_of(text);
    return decide(trace, violation(trace)).feasible;
}

/// The cycle as places: "a0 a2 b1 b8".
std::vector<std::string> places(const Trace& trace, const UcgVerdict& verdict) {
    std::vector<std::string> result;
    for (const CycleEdge& edge : verdict.cycle)
        result.push_back(trace.place_text(trace.place_of(trace[edge.from].stack())));
    return result;
}

// --- Fig. 1 of the paper, from its text: T1 waits with l3 held, T2 notifies and then takes l3 and l2
// ------------

std::string fig_1(bool locks, bool conditions) {
    static constexpr std::string_view kLines[] = {
        "T1 acq(l3) @a0", "T1 acq(l1) @a1",  "T1 wait_pre(c) @a2",
        "T1 rel(l1) @a3", "T2 acq(l1) @b0",  "T2 notify(c) @b1 ticket=1",
        "T2 rel(l1) @b2", "T1 acq(l1) @a4",  "T1 wait_post(c) @a5 ticket=1",
        "T1 acq(l2) @a6", "T1 rel(l1) @a7",  "T1 rel(l3) @a8",
        "T1 w(sh) @a",    "T1 rel(l2) @a10", "T2 acq(l3) @b4",
        "T2 acq(l2) @b6", "T2 rel(l2) @b7",  "T2 rel(l3) @b8",
        "T2 w(sh) @b"};
    std::string text;
    for (const std::string_view line : kLines) {
        const bool lock = line.find("(l") != std::string_view::npos;
        const bool condition = line.find("(c)") != std::string_view::npos;
        if ((lock && !locks) || (condition && !conditions)) continue;
        text += line;
        text += '\n';
    }
    return text;
}

TEST(Ucg, refutes_the_race_of_figure_1_by_the_papers_cycle) {
    const Trace trace = trace_of(fig_1(true, true));
    const UcgVerdict verdict = decide(trace, race(trace));
    EXPECT_FALSE(verdict.feasible);
    EXPECT_THAT(places(trace, verdict), ElementsAre("a0", "a2", "b1", "b8"));
    EXPECT_EQ(
        explain(trace, verdict),
        "T1 acquire l3 (a0) before T1 wait begin c (a2): program order\n"
        "T1 wait begin c (a2) before T2 notify c (notify 1) (b1): the notify woke this wait\n"
        "T2 notify c (notify 1) (b1) before T2 release l3 (b8): program order\n"
        "T2 release l3 (b8) before T1 acquire l3 (a0): the section of l3 that T2 acquire l3 (b4) begins can "
        "only be the earlier one\n");
}

TEST(Ucg, needs_locks_and_conditions_together_for_figure_1) {
    EXPECT_TRUE(race_feasible(fig_1(true, false)));
    EXPECT_TRUE(race_feasible(fig_1(false, true)));
}

// --- locks
// ----------------------------------------------------------------------------------------------------

TEST(Ucg, refutes_a_race_under_one_lock) {
    const Trace trace = trace_of("T1 acq(l)\nT1 w(x) @a\nT1 rel(l)\nT2 acq(l)\nT2 w(x) @b\nT2 rel(l)\n");
    const UcgVerdict verdict = decide(trace, race(trace));
    EXPECT_FALSE(verdict.feasible);
    EXPECT_EQ(verdict.cycle.size(), 4U);
    EXPECT_EQ(verdict.cycle[1].reason, CycleReason::lock);
}

TEST(Ucg, lets_readers_share_a_lock) {
    EXPECT_TRUE(race_feasible("T1 acq_shared(l)\nT1 w(x) @a\nT1 rel_shared(l)\n"
                              "T2 acq_shared(l)\nT2 w(x) @b\nT2 rel_shared(l)\n"));
    EXPECT_FALSE(race_feasible("T1 acq_shared(l)\nT1 w(x) @a\nT1 rel_shared(l)\n"
                               "T2 acq(l)\nT2 w(x) @b\nT2 rel(l)\n"));
}

TEST(Ucg, refutes_acquisition_histories_that_cross) {
    // each took and released the lock that the other holds at its access
    EXPECT_FALSE(race_feasible("T1 acq(l)\nT1 acq(m)\nT1 rel(m)\nT1 w(x) @a\nT1 rel(l)\n"
                               "T2 acq(m)\nT2 acq(l)\nT2 rel(l)\nT2 w(x) @b\nT2 rel(m)\n"));
    EXPECT_TRUE(race_feasible("T1 acq(l)\nT1 acq(m)\nT1 rel(m)\nT1 w(x) @a\nT1 rel(l)\n"
                              "T2 acq(m)\nT2 w(x) @b\nT2 rel(m)\n"));
}

TEST(Ucg, a_thread_that_need_not_run_constrains_nothing) {
    EXPECT_TRUE(
        race_feasible("T3 acq(l)\nT3 rel(l)\nT1 acq(l)\nT1 w(x) @a\nT1 rel(l)\nT2 w(x) @b\nT3 acq(l)\n"));
}

TEST(Ucg, follows_chains_through_a_third_thread) {
    // T2 gets to b only after T3 passed l, which T1 holds from before the fork of T3 to after a
    EXPECT_FALSE(race_feasible("T1 acq(l)\nT1 fork(T3)\nT1 w(x) @a\nT1 rel(l)\nT3 acq(l)\nT3 rel(l)\n"
                               "T3 happens_before(h)\nT2 happens_after(h)\nT2 w(x) @b\n"));
    EXPECT_TRUE(race_feasible("T1 fork(T3)\nT1 acq(l)\nT1 w(x) @a\nT1 rel(l)\nT3 acq(l)\nT3 rel(l)\n"
                              "T3 happens_before(h)\nT2 happens_after(h)\nT2 w(x) @b\n"));
}

// --- other primitives
// -------------------------------------------------------------------------------------------

TEST(Ucg, a_thread_races_only_once_it_was_started) {
    const Trace trace = trace_of("T1 w(x) @a\nT1 fork(T2)\nT2 w(x) @b\n");
    const UcgVerdict verdict = decide(trace, race(trace));
    EXPECT_FALSE(verdict.feasible);
    EXPECT_THAT(explain(trace, verdict), HasSubstr("the thread is started first"));
    EXPECT_TRUE(race_feasible("T1 fork(T2)\nT1 w(x) @a\nT2 w(x) @b\n"));
}

TEST(Ucg, says_which_join_keeps_two_accesses_apart) {
    const Trace trace = trace_of("T1 fork(T2)\nT2 w(x) @a\nT1 join(T2) @j\nT1 w(x) @b\n");
    const UcgVerdict verdict = decide(trace, race(trace));
    EXPECT_THAT(explain(trace, verdict), HasSubstr("the join waits for the thread's end"));
}

TEST(Ucg, a_semaphore_hands_over_only_what_it_has) {
    EXPECT_FALSE(
        race_feasible("T1 sem_init(s) count=0\nT1 w(x) @a\nT1 sem_post(s)\nT2 sem_wait(s)\nT2 w(x) @b\n"));
    EXPECT_TRUE(
        race_feasible("T1 sem_init(s) count=1\nT1 w(x) @a\nT1 sem_post(s)\nT2 sem_wait(s)\nT2 w(x) @b\n"));
    EXPECT_TRUE(race_feasible("T1 w(x) @a\nT1 sem_post(s)\nT2 sem_wait(s)\nT2 w(x) @b\n"));
}

TEST(Ucg, a_semaphore_may_serve_as_a_lock) {
    EXPECT_FALSE(race_feasible("T1 sem_init(s) count=1\nT1 sem_wait(s)\nT1 w(x) @a\nT1 sem_post(s)\n"
                               "T2 sem_wait(s)\nT2 w(x) @b\nT2 sem_post(s)\n"));
}

TEST(Ucg, merges_joints_in_what_it_says) {
    const Trace trace = trace_of("T1 w(x) @a\nT1 barrier_enter(b) round=0\nT2 barrier_enter(b) round=0\n"
                                 "T2 barrier_leave(b) round=0\nT2 w(x) @b\n");
    const UcgVerdict verdict = decide(trace, race(trace));
    ASSERT_FALSE(verdict.feasible);
    for (const CycleEdge& edge : verdict.cycle) {
        EXPECT_LT(edge.from.value, trace.size());
        EXPECT_LT(edge.to.value, trace.size());
    }
    EXPECT_THAT(explain(trace, verdict), HasSubstr("all enter the barrier before one leaves"));
}

// --- atomicity and deadlocks
// ------------------------------------------------------------------------------------

TEST(Ucg, the_remote_thread_may_run_on_to_release_a_lock) {
    EXPECT_TRUE(violation_feasible("T2 acq(l)\nT2 happens_before(h)\nT2 w(x) @r\nT2 rel(l)\n"
                                   "T1 r(x) @c1\nT1 happens_after(h)\nT1 acq(l)\nT1 rel(l)\nT1 r(x) @c2\n"));
    // not if that takes a lock which the transaction keeps
    EXPECT_FALSE(
        violation_feasible("T2 acq(l)\nT2 happens_before(h)\nT2 w(x) @r\nT2 acq(m)\nT2 rel(m)\nT2 rel(l)\n"
                           "T1 acq(m)\nT1 r(x) @c1\nT1 happens_after(h)\nT1 acq(l)\nT1 rel(l)\nT1 r(x) @c2\n"
                           "T1 rel(m)\n"));
}

TEST(Ucg, refutes_a_violation_within_one_critical_section) {
    EXPECT_FALSE(violation_feasible("T1 acq(l)\nT1 r(x) @c1\nT1 r(x) @c2\nT1 rel(l)\n"
                                    "T2 acq(l)\nT2 w(x) @r\nT2 rel(l)\n"));
    EXPECT_TRUE(violation_feasible("T1 acq(l)\nT1 r(x) @c1\nT1 rel(l)\nT1 acq(l)\nT1 r(x) @c2\nT1 rel(l)\n"
                                   "T2 acq(l)\nT2 w(x) @r\nT2 rel(l)\n"));
}

TEST(Ucg, a_common_guard_refutes_a_deadlock) {
    const auto decide_deadlock = [](std::string_view text) {
        const Trace trace = trace_of(text);
        return decide(trace,
                      Deadlock{{{at(trace, "h1"), at(trace, "r1")}, {at(trace, "h2"), at(trace, "r2")}}});
    };
    EXPECT_TRUE(decide_deadlock("T1 acq(l) @h1\nT1 acq(m) @r1\nT1 rel(m)\nT1 rel(l)\n"
                                "T2 acq(m) @h2\nT2 acq(l) @r2\nT2 rel(l)\nT2 rel(m)\n")
                    .feasible);
    EXPECT_FALSE(decide_deadlock("T1 acq(g)\nT1 acq(l) @h1\nT1 acq(m) @r1\nT1 rel(m)\nT1 rel(l)\nT1 rel(g)\n"
                                 "T2 acq(g)\nT2 acq(m) @h2\nT2 acq(l) @r2\nT2 rel(l)\nT2 rel(m)\nT2 rel(g)\n")
                     .feasible);
}

TEST(Ucg, a_feasible_property_needs_no_words) {
    EXPECT_THAT(explain(trace_of("T1 w(x)\n"), UcgVerdict{}), IsEmpty());
}

// --- cost
// -------------------------------------------------------------------------------------------------------

TEST(Ucg, a_query_looks_only_at_its_own_window) {
    std::string text = "T0 fork(T1)\nT0 fork(T2)\nT0 fork(T3)\n";
    const auto rounds = [&](int count) {
        for (int k = 0; k < count; ++k)
            for (const std::string thread : {"T1", "T2", "T3"})
                text +=
                    thread + " acq(l)\n" + thread + " acq(m)\n" + thread + " rel(l)\n" + thread + " rel(m)\n";
    };
    rounds(1000);
    text += "T1 acq(l)\nT1 w(x) @a\nT1 rel(l)\n";
    rounds(1000); // the accesses are far apart in the run, and neither thread must wait for the other
    text += "T2 acq(m)\nT2 w(x) @b\nT2 rel(m)\n";
    rounds(1000);
    const Trace trace = trace_of(text);
    const CausalityGraph graph(trace);
    EXPECT_TRUE(graph.decide(race(trace)).feasible);
    EXPECT_THAT(graph.window_size(race(trace)), Le(4U));
}

TEST(Ucg, says_when_it_gave_up) {
    const Trace trace = trace_of("T1 acq(l)\nT1 w(x) @a\nT1 rel(l)\nT2 acq(l)\nT2 w(x) @b\nT2 rel(l)\n");
    const UcgVerdict verdict = CausalityGraph(trace).decide(race(trace), 0);
    EXPECT_TRUE(verdict.feasible);
    EXPECT_FALSE(verdict.complete);
}

} // namespace
} // namespace heddle
