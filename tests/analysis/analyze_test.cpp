// The whole funnel against the truth: what analyze() reports as possible is what the oracle says can happen.
#include "analysis/analyze.h"
#include "oracle.h"
#include "random_traces.h"
#include "small_traces.h"
#include "traces/trace_builder.h"

#include <set>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace heddle {
namespace {

using testing_support::any_small;
using testing_support::Oracle;
using testing_support::random_traces;
using testing_support::small_trace;
using testing_support::SmallTraceOptions;
using testing_support::text_of;
using testing_support::trace_of;

std::size_t possible(const Analysis& analysis, FindingKind kind) {
    return static_cast<std::size_t>(
        std::count_if(analysis.findings.begin(), analysis.findings.end(), [&](const Finding& finding) {
            return finding.kind() == kind && std::holds_alternative<Possible>(finding.verdict);
        }));
}

TEST(Analyze, a_race_needs_no_bad_luck) {
    const Trace trace = trace_of(R"(
      T1 w(x) @a
      T1 acq(m)
      T1 rel(m)
      T2 acq(m)
      T2 rel(m)
      T2 w(x) @b
    )");
    const Analysis analysis = analyze(trace);
    ASSERT_EQ(analysis.findings.size(), 1U);
    EXPECT_TRUE(std::holds_alternative<Possible>(analysis.findings[0].verdict));
    EXPECT_EQ(analysis.findings[0].property, Property(Race{EventId{0U}, EventId{5U}}));
}

TEST(Analyze, what_is_refuted_says_by_what) {
    const auto refuted_by = [](std::string_view text) {
        const Analysis analysis = analyze(trace_of(text));
        const auto* refuted = std::get_if<Refuted>(&analysis.findings.at(0).verdict);
        return refuted == nullptr ? std::string("not refuted")
                                  : std::string(kFilterNames[static_cast<std::size_t>(refuted->by)]);
    };
    EXPECT_EQ(refuted_by("T1 acq(m)\nT1 w(x)\nT1 rel(m)\nT2 acq(m)\nT2 w(x)\nT2 rel(m)\n"), "lockset");
    EXPECT_EQ(refuted_by("T1 w(x)\nT1 fork(T2)\nT2 w(x)\n"), "hard order");
    EXPECT_EQ(refuted_by("T1 acq(a)\nT1 acq(b)\nT1 rel(b)\nT1 w(x)\nT1 rel(a)\n"
                         "T2 acq(b)\nT2 acq(a)\nT2 rel(a)\nT2 w(x)\nT2 rel(b)\n"),
              "acquisition history");
}

TEST(Analyze, deadlocks_are_counted_by_place) {
    // Three accounts, locked two by two at the same lines, in both directions.
    const auto transfer = [](const char* thread, const char* from, const char* to) {
        return fmt::format(
            "{0} acq({1}) @first\n{0} acq({2}) @second\n{0} rel({2}) @third\n{0} rel({1}) @fourth\n", thread,
            from, to);
    };
    const Analysis analysis = analyze(trace_of(transfer("T1", "a", "b") + transfer("T2", "b", "a") +
                                               transfer("T1", "b", "c") + transfer("T2", "c", "b")));
    ASSERT_EQ(possible(analysis, FindingKind::deadlock), 1U);
    EXPECT_EQ(analysis.findings.front().count, 2U);
}

/// Every std::mutex is locked in the same line of a header.
TEST(Analyze, deadlocks_are_told_apart_by_the_calls_into_the_system) {
    TraceBuilder builder;
    const PlaceId header =
        builder.place({.file = builder.string("/usr/include/gthr-default.h"), .line = 749});
    std::uint32_t line = 0;
    const auto both = [&](std::uint32_t thread, std::uint32_t outer, std::uint32_t inner) {
        for (const std::uint32_t lock : {outer, inner}) {
            const PlaceId call = builder.place({.file = builder.string("bank.cpp"), .line = ++line});
            builder.add({.kind = EventKind::acquire,
                         .thread = ThreadId{thread},
                         .target = lock,
                         .stack = builder.stack({header, builder.stack({call, StackId{}})})});
        }
        for (const std::uint32_t lock : {inner, outer})
            builder.add({.kind = EventKind::release, .thread = ThreadId{thread}, .target = lock});
    };
    std::vector<std::uint32_t> threads;
    for (const char* name : {"T1", "T2"}) threads.push_back(builder.object_named(ObjectKind::thread, name));
    std::vector<std::uint32_t> locks;
    for (const char* name : {"a", "b", "c", "d"})
        locks.push_back(builder.object_named(ObjectKind::lock, name));
    both(threads[0], locks[0], locks[1]);
    both(threads[0], locks[2], locks[3]);
    both(threads[1], locks[1], locks[0]);
    both(threads[1], locks[3], locks[2]);
    EXPECT_EQ(possible(analyze(builder.snapshot()), FindingKind::deadlock), 2U);
}

TEST(Analyze, philosophers_may_deadlock_and_a_common_guard_prevents_it) {
    EXPECT_EQ(possible(analyze(trace_of("T1 acq(a)\nT1 acq(b)\nT1 rel(b)\nT1 rel(a)\n"
                                        "T2 acq(b)\nT2 acq(a)\nT2 rel(a)\nT2 rel(b)\n")),
                       FindingKind::deadlock),
              1U);
    EXPECT_EQ(
        possible(analyze(trace_of("T1 acq(g)\nT1 acq(a)\nT1 acq(b)\nT1 rel(b)\nT1 rel(a)\nT1 rel(g)\n"
                                  "T2 acq(g)\nT2 acq(b)\nT2 acq(a)\nT2 rel(a)\nT2 rel(b)\nT2 rel(g)\n")),
                 FindingKind::deadlock),
        0U);
}

TEST(Analyze, who_would_give_up_is_in_no_deadlock) {
    // std::scoped_lock waits for one and tries the others, giving back what it has if it does not get them.
    EXPECT_EQ(possible(analyze(trace_of("T1 acq(a)\nT1 acq(b) tried\nT1 rel(b)\nT1 rel(a)\n"
                                        "T2 acq(b)\nT2 acq(a) tried\nT2 rel(a)\nT2 rel(b)\n")),
                       FindingKind::deadlock),
              0U);
    EXPECT_EQ(possible(analyze(trace_of("T1 acq(a)\nT1 acq(b)\nT1 rel(b)\nT1 rel(a)\n"
                                        "T2 acq(b)\nT2 acq_shared(a) tried\nT2 rel_shared(a)\nT2 rel(b)\n")),
                       FindingKind::deadlock),
              0U);
    // What it has, others wait for.
    EXPECT_EQ(possible(analyze(trace_of("T1 acq(a) tried\nT1 acq(b)\nT1 rel(b)\nT1 rel(a)\n"
                                        "T2 acq(b) tried\nT2 acq(a)\nT2 rel(a)\nT2 rel(b)\n")),
                       FindingKind::deadlock),
              1U);
}

TEST(Analyze, deadlocks_that_cannot_happen_are_counted_when_asked_for) {
    const Trace guarded = trace_of("T1 acq(g)\nT1 acq(a)\nT1 acq(b)\nT1 rel(b)\nT1 rel(a)\nT1 rel(g)\n"
                                   "T2 acq(g)\nT2 acq(b)\nT2 acq(a)\nT2 rel(a)\nT2 rel(b)\nT2 rel(g)\n");
    for (const bool count : {false, true}) {
        const Analysis analysis = analyze(guarded, {.refuted = false, .count_refuted = count});
        const FunnelCounts& counts = analysis.counts[static_cast<std::size_t>(FindingKind::deadlock)];
        EXPECT_EQ(counts.total, count ? 1U : 0U);
        EXPECT_EQ(counts.lock_analysis, 0U);
        EXPECT_TRUE(analysis.findings.empty());
    }
}

// Fences give no seed edges. What they order is read first, and so known to the witnesses.
TEST(Analyze, what_fences_order_is_refuted_by_data) {
    const Trace trace = trace_of(R"(
      T1 w(x) =5
      T1 fence release
      T1 atomic_store(flag) =1 relaxed
      T2 atomic_load(flag) =1 relaxed
      T2 fence acquire
      T2 r(x) =5
    )");
    EXPECT_EQ(possible(analyze(trace), FindingKind::race), 1U);
    const Analysis analysis = analyze(trace, {.witnesses = true});
    ASSERT_EQ(analysis.findings.size(), 1U);
    const auto* refuted = std::get_if<Refuted>(&analysis.findings[0].verdict);
    ASSERT_NE(refuted, nullptr);
    EXPECT_EQ(refuted->by, Filter::data);
}

// A reference that somebody takes and gives back while he holds a lock which others who do so need not have.
TEST(Analyze, counting_by_updates_alone_violates_nothing) {
    const auto violations = [](const char* remote) {
        const std::string text = fmt::format("T1 acq(m)\n"
                                             "T1 atomic_rmw(count) @take relaxed\n"
                                             "T1 atomic_rmw(count) @give relaxed\n"
                                             "T1 rel(m)\n"
                                             "T2 {}(count) @other relaxed\n",
                                             remote);
        return possible(analyze(trace_of(text)), FindingKind::atomicity);
    };
    EXPECT_EQ(violations("atomic_rmw"), 0U);
    EXPECT_EQ(violations("atomic_store"), 1U) << "what was counted is lost";
    EXPECT_EQ(violations("atomic_load"), 1U);
}

// The first access of the block is an update, as are the others: what it stores after that is what is lost.
TEST(Analyze, an_update_does_not_hide_the_store_after_it) {
    AnalyzeOptions options{.witnesses = true};
    const Analysis analysis = analyze(trace_of("T1 acq(l)\n"
                                               "T1 acq(m)\n"
                                               "T1 atomic_rmw(x) relaxed\n"
                                               "T1 atomic_store(x) relaxed\n"
                                               "T1 rel(m)\n"
                                               "T1 atomic_rmw(x) relaxed\n"
                                               "T1 rel(l)\n"
                                               "T2 acq(m)\n"
                                               "T2 atomic_rmw(x) relaxed\n"),
                                      options);
    ASSERT_EQ(analysis.findings.size(), 1U);
    EXPECT_TRUE(std::holds_alternative<Witnessed>(analysis.findings[0].verdict));
    EXPECT_EQ(events_of(analysis.findings[0].property), (std::vector{EventId{3U}, EventId{8U}, EventId{5U}}));
}

TEST(Analyze, a_thread_that_spins_learns_nothing_new) {
    std::string text = "T1 w(x)\nT1 atomic_store(go) release\n";
    for (int k = 0; k < 100; ++k) text += "T2 atomic_load(go) acquire\nT2 w(y)\n";
    text += "T2 w(x)\nT3 w(y)\n";
    const Analysis analysis = analyze(trace_of(text), {.refuted = false});
    ASSERT_EQ(analysis.findings.size(), 1U);
    EXPECT_EQ(analysis.findings[0].count, 100U) << "of y; x is handed over";
    EXPECT_LT(analysis.segments, 10U);
    EXPECT_LT(analysis.phase_one.writes, 10U);
}

TEST(Analyze, locks_held_are_told) {
    const Analysis analysis = analyze(trace_of("T1 acq(m)\nT1 w(x)\nT1 rel(m)\nT2 r(x)\n"));
    ASSERT_EQ(analysis.findings.size(), 1U);
    EXPECT_EQ(analysis.findings[0].accesses[0].locks.size(), 1U);
    EXPECT_TRUE(analysis.findings[0].accesses[1].locks.empty());
    EXPECT_EQ(analysis.findings[0].count, 1U);
}

// Lockset alone warns of X here: no single lock is held at all of its accesses. Each two of them share one.
TEST(Analyze, no_false_alarm_where_pairs_share_locks_seed_003_fig_6) {
    const Analysis analysis = analyze(trace_of(R"(
      T1 acq(x)
      T1 acq(y)
      T1 r(Y)
      T1 w(X)
      T1 rel(y)
      T1 rel(x)
      T2 acq(x)
      T2 w(X)
      T2 rel(x)
      T2 acq(y)
      T2 r(X)
      T2 w(Y)
      T2 rel(y)
    )"));
    EXPECT_EQ(possible(analysis, FindingKind::race), 0U);
}

// The warning comes at T2's read of X; the write it races with comes later in the run.
TEST(Analyze, a_race_with_a_later_access_seed_003_fig_7) {
    const Trace trace = trace_of(R"(
      T2 acq(x)
      T2 acq(y)
      T2 r(X) @a
      T2 w(Y) @b
      T2 rel(y)
      T2 rel(x)
      T1 acq(x)
      T1 acq(y)
      T1 r(X) @c
      T1 w(Y) @d
      T1 rel(y)
      T1 rel(x)
      T2 acq(x)
      T2 w(X) @e
      T2 rel(x)
      T2 acq(y)
      T2 r(X) @f
      T2 w(Y) @g
      T2 rel(y)
      T1 acq(x)
      T1 w(X) @h
      T1 rel(x)
    )");
    const Analysis analysis = analyze(trace);
    ASSERT_EQ(possible(analysis, FindingKind::race), 1U);
    for (const Finding& finding : analysis.findings) {
        if (!std::holds_alternative<Possible>(finding.verdict) || finding.kind() != FindingKind::race)
            continue;
        EXPECT_EQ(trace.place_text(trace.place_of(trace[finding.accesses[0].event].stack())), "f");
        EXPECT_EQ(trace.place_text(trace.place_of(trace[finding.accesses[1].event].stack())), "h");
    }
}

// Happens-before over locks keeps the two critical sections in their order and misses this one.
TEST(Analyze, critical_sections_change_places_seed_002_section_7) {
    const Analysis analysis = analyze(trace_of(R"(
      t1 w(z)
      t1 acq(l)
      t1 w(x)
      t1 rel(l)
      t2 acq(l)
      t2 w(y)
      t2 rel(l)
      t2 w(z)
    )"));
    EXPECT_EQ(possible(analysis, FindingKind::race), 1U);
}

/// Small traces have no places: one candidate stands for all races on a variable.
void compare_with_truth(const Trace& trace, bool exact, std::uint64_t seed) {
    const Oracle oracle(trace);
    if (oracle.too_large()) return;
    const Analysis analysis = analyze(trace);
    std::set<VarId> feasible;
    for (const Property& race : oracle.feasible_of(oracle.all_races())) {
        feasible.insert(trace[std::get<Race>(race).first].variable());
    }
    for (const Finding& finding : analysis.findings) {
        if (finding.kind() != FindingKind::race) continue;
        const VarId variable = trace[finding.accesses[0].event].variable();
        if (std::holds_alternative<Refuted>(finding.verdict)) {
            ASSERT_FALSE(feasible.contains(variable)) << "seed " << seed << "\n" << text_of(trace);
        } else if (std::holds_alternative<Possible>(finding.verdict) && exact) {
            ASSERT_TRUE(*oracle.feasible(finding.property)) << "seed " << seed << "\n" << text_of(trace);
        }
        feasible.erase(variable);
    }
    ASSERT_TRUE(feasible.empty()) << "a feasible race has no candidate, seed " << seed << "\n"
                                  << text_of(trace);

    std::set<VarId> violated;
    for (const Property& triple : oracle.feasible_of(oracle.all_atomicity_violations())) {
        violated.insert(trace[std::get<AtomicityViolation>(triple).first].variable());
    }
    for (const Finding& finding : analysis.findings) {
        if (finding.kind() != FindingKind::atomicity) continue;
        const VarId variable = trace[finding.accesses[0].event].variable();
        if (std::holds_alternative<Refuted>(finding.verdict)) {
            ASSERT_FALSE(violated.contains(variable)) << "seed " << seed << "\n" << text_of(trace);
        } else if (std::holds_alternative<Possible>(finding.verdict) && exact) {
            ASSERT_TRUE(*oracle.feasible(finding.property)) << "seed " << seed << "\n" << text_of(trace);
        }
        violated.erase(variable);
    }
    ASSERT_TRUE(violated.empty()) << "a feasible violation has no candidate, seed " << seed << "\n"
                                  << text_of(trace);

    const std::vector<Property> deadlocks = oracle.feasible_of(oracle.all_deadlocks());
    bool told = false;
    for (const Finding& finding : analysis.findings) {
        if (finding.kind() != FindingKind::deadlock) continue;
        told = told || !std::holds_alternative<Refuted>(finding.verdict);
        if (std::holds_alternative<Possible>(finding.verdict) && exact) {
            ASSERT_TRUE(*oracle.feasible(finding.property)) << "seed " << seed << "\n" << text_of(trace);
        }
    }
    ASSERT_TRUE(told || deadlocks.empty()) << "seed " << seed << "\n" << text_of(trace);
}

TEST(Analyze, agrees_with_the_truth_on_random_traces) {
    for (const std::uint64_t seed : random_traces(20'000)) {
        const SmallTraceOptions options = any_small(seed);
        compare_with_truth(small_trace(options), options.threads == 2, seed);
    }
}

} // namespace
} // namespace heddle
