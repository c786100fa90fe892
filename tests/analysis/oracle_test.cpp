#include "oracle.h"
#include "small_traces.h"
#include "traces/rules.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>

namespace heddle::testing_support {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

// --- by label ----------------------------------------------------------------------------------------

std::string label(const Trace& trace, EventId event) {
    return trace.place_text(trace.place_of(trace[event].stack()));
}

std::string spelled(const Trace& trace, const Property& property) {
    if (const auto* race = std::get_if<Race>(&property))
        return label(trace, race->first) + " " + label(trace, race->second);
    if (const auto* violation = std::get_if<AtomicityViolation>(&property)) {
        static constexpr std::array<std::string_view, 5> kPatterns = {"rwr", "rww", "wrw", "wwr", "www"};
        return label(trace, violation->first) + " " + label(trace, violation->remote) + " " +
               label(trace, violation->second) + " " +
               std::string(kPatterns[static_cast<std::size_t>(violation->pattern)]);
    }
    std::string result;
    for (const DeadlockStep& step : std::get<Deadlock>(property).steps) {
        if (!result.empty()) result += ' ';
        result += label(trace, step.holds) + ">" + label(trace, step.requests);
    }
    return result;
}

std::vector<std::string> spelled(const Trace& trace, const std::vector<Property>& properties) {
    std::vector<std::string> result;
    result.reserve(properties.size());
    for (const Property& property : properties) result.push_back(spelled(trace, property));
    return result;
}

/// The feasible races, as the labels of their events.
std::vector<std::string> races(std::string_view text) {
    const Trace trace = trace_of(text);
    const Oracle oracle(trace);
    return spelled(trace, oracle.feasible_of(oracle.all_races()));
}

std::vector<std::string> violations(std::string_view text) {
    const Trace trace = trace_of(text);
    const Oracle oracle(trace);
    return spelled(trace, oracle.feasible_of(oracle.all_atomicity_violations()));
}

std::vector<std::string> deadlocks(std::string_view text) {
    const Trace trace = trace_of(text);
    const Oracle oracle(trace);
    return spelled(trace, oracle.feasible_of(oracle.all_deadlocks()));
}

// --- races -------------------------------------------------------------------------------------------

TEST(Oracle, a_race_needs_two_threads_one_write_and_common_bytes) {
    EXPECT_THAT(races(R"(
        T1 w(x) @a
        T1 r(x) @b
        T2 r(x) @c
        T2 r(y) @d
    )"),
                ElementsAre("a c"));
    EXPECT_THAT(races("T1 w(x) @a bytes=0+4\nT2 w(x) @b bytes=4+4\nT2 w(x) @c bytes=3+2"),
                ElementsAre("a c"));
    EXPECT_THAT(races("T1 atomic_store(x) @a relaxed\nT2 atomic_load(x) @b relaxed\nT2 w(x) @c"),
                ElementsAre("a c"));
}

TEST(Oracle, a_common_lock_protects) {
    EXPECT_THAT(races(R"(
        T1 acq(m)
        T1 w(x) @a
        T1 rel(m)
        T2 acq(m)
        T2 w(x) @b
        T2 rel(m)
    )"),
                IsEmpty());
    EXPECT_THAT(races(R"(
        T1 acq(m)
        T1 w(x) @a
        T1 rel(m)
        T2 acq(n)
        T2 w(x) @b
        T2 rel(n)
    )"),
                ElementsAre("a b"));
}

TEST(Oracle, the_order_in_which_a_lock_passed_forces_nothing) {
    EXPECT_THAT(races(R"(
        T1 w(x) @a
        T1 acq(m)
        T1 rel(m)
        T2 acq(m)
        T2 rel(m)
        T2 w(x) @b
    )"),
                ElementsAre("a b"));
}

TEST(Oracle, fork_and_join_order) {
    EXPECT_THAT(races(R"(
        T0 w(x) @before
        T0 fork(T1)
        T1 w(x) @child
        T0 w(x) @beside
        T0 join(T1)
        T0 w(x) @after
    )"),
                ElementsAre("child beside"));
}

TEST(Oracle, readers_share_a_lock) {
    EXPECT_THAT(races(R"(
        T1 acq_shared(m)
        T1 w(x) @a
        T1 rel_shared(m)
        T2 acq_shared(m)
        T2 w(x) @b
        T2 rel_shared(m)
        T3 acq(m)
        T3 w(x) @c
        T3 rel(m)
    )"),
                ElementsAre("a b"));
}

TEST(Oracle, a_wake_up_follows_its_notify) {
    constexpr std::string_view kText = R"(
        T1 acq(m)
        T1 wait_pre(c)
        T1 rel(m)
        T2 w(x) @a
        T2 acq(m)
        T2 notify(c) {}
        T2 rel(m)
        T2 w(y) @b
        T1 acq(m)
        T1 wait_post(c) {}
        T1 rel(m)
        T1 w(x) @c
        T1 w(y) @d
    )";
    const auto with = [&](std::string_view notify, std::string_view wait) {
        std::string text(kText);
        text.replace(text.find("{}"), 2, notify);
        text.replace(text.find("{}"), 2, wait);
        return races(text);
    };
    EXPECT_THAT(with("ticket=1", "ticket=1"), ElementsAre("b d"));
    EXPECT_THAT(with("ticket=1", "spurious"), ElementsAre("a c", "b d"));
}

TEST(Oracle, a_notify_follows_the_waits_that_it_ended) {
    EXPECT_THAT(races(R"(
        T1 w(x) @a
        T1 acq(m)
        T1 wait_pre(c)
        T1 rel(m)
        T2 notify(c)
        T2 w(x) @b
        T1 acq(m)
        T1 wait_post(c)
        T1 rel(m)
    )"),
                IsEmpty());
    EXPECT_THAT(races(R"(
        T1 w(x) @a
        T1 wait_pre(c)
        T2 notify(c)
        T2 w(x) @b
    )"),
                ElementsAre("a b"));
}

TEST(Oracle, a_ticket_used_again_means_the_latest_notify) {
    EXPECT_THAT(races(R"(
        T1 wait_pre(c)
        T2 notify(c) ticket=1
        T1 wait_post(c) ticket=1
        T2 w(x) @a
        T1 wait_pre(c)
        T2 notify(c) ticket=1
        T1 wait_post(c) ticket=1
        T1 w(x) @b
    )"),
                IsEmpty());
}

TEST(Oracle, a_barrier_separates_rounds) {
    EXPECT_THAT(races(R"(
        T1 w(x) @a
        T1 barrier_enter(b)
        T2 w(x) @b
        T2 barrier_enter(b)
        T1 barrier_leave(b)
        T1 w(x) @c
        T2 barrier_leave(b)
        T2 w(x) @d
    )"),
                ElementsAre("a b", "c d"));
}

TEST(Oracle, a_semaphore_orders_only_without_count_to_spare) {
    EXPECT_THAT(races(R"(
        T0 sem_init(s) count=0
        T1 w(x) @a
        T1 sem_post(s)
        T2 sem_wait(s)
        T2 w(x) @b
    )"),
                IsEmpty());
    EXPECT_THAT(races(R"(
        T0 sem_init(s) count=1
        T1 w(x) @a
        T1 sem_post(s)
        T2 sem_wait(s)
        T2 w(x) @b
    )"),
                ElementsAre("a b"));
    const auto guarded = [](const std::string& init) {
        return races("T0 sem_init(s) " + init + R"(
            T1 sem_wait(s)
            T1 w(x) @a
            T1 sem_post(s)
            T2 sem_wait(s)
            T2 w(x) @b
            T2 sem_post(s)
        )");
    };
    EXPECT_THAT(guarded("count=1"), IsEmpty());
    EXPECT_THAT(guarded("count=2"), ElementsAre("a b"));
    EXPECT_THAT(guarded(""), ElementsAre("a b"));
}

TEST(Oracle, a_semaphore_is_used_after_it_began) {
    EXPECT_THAT(races("T0 w(x) @a\nT0 sem_init(s) count=1\nT1 sem_wait(s)\nT1 w(x) @b"), IsEmpty());
    EXPECT_THAT(races("T0 w(x) @a\nT0 sem_init(s) count=1\nT1 sem_post(s)\nT1 w(x) @b"), IsEmpty());
    EXPECT_THAT(races("T0 w(x) @a\nT0 sem_init(s)\nT1 sem_post(s)\nT1 w(x) @b"), ElementsAre("a b"));
}

TEST(Oracle, who_sees_a_once_done_comes_after_it) {
    EXPECT_THAT(races(R"(
        T1 once_begin(o)
        T1 w(x) @a
        T1 once_end(o)
        T1 w(y) @b
        T2 once_seen(o)
        T2 w(x) @c
        T2 w(y) @d
        T3 w(x) @e
    )"),
                UnorderedElementsAre("b d", "a e", "c e"));
}

TEST(Oracle, an_acquire_follows_the_release_that_it_read_from) {
    const auto handed_over = [](const std::string& store, const std::string& load) {
        return races("T1 w(x) @a\nT1 atomic_store(f) " + store + "\nT2 atomic_load(f) " + load +
                     "\nT2 w(x) @b");
    };
    EXPECT_THAT(handed_over("release", "acquire"), IsEmpty());
    EXPECT_THAT(handed_over("seq_cst", "consume"), IsEmpty());
    EXPECT_THAT(handed_over("relaxed", "acquire"), ElementsAre("a b"));
    EXPECT_THAT(handed_over("release", "relaxed"), ElementsAre("a b"));
}

TEST(Oracle, release_heads_survive_read_modify_writes_but_no_store) {
    const auto with = [](const std::string& between) {
        return races("T1 w(x) @a\nT1 atomic_store(f) release\n" + between +
                     "\nT2 atomic_load(f) acquire\nT2 w(x) @b");
    };
    EXPECT_THAT(with("T3 atomic_rmw(f) relaxed"), IsEmpty());
    EXPECT_THAT(with("T3 atomic_rmw(f) release"), IsEmpty());
    EXPECT_THAT(with("T3 atomic_store(f) relaxed"), ElementsAre("a b"));
    EXPECT_THAT(with("T3 atomic_store(f) release"), ElementsAre("a b"));
    EXPECT_THAT(races(R"(
        T1 w(x) @a
        T1 atomic_rmw(f) release
        T3 w(x) @c
        T3 atomic_rmw(f) release
        T2 atomic_load(f) acquire
        T2 w(x) @b
    )"),
                ElementsAre("a c"));
}

TEST(Oracle, an_acquire_that_would_wait_still_races) {
    EXPECT_THAT(races("T1 w(x) @a\nT1 atomic_store(x) @s release\nT2 atomic_load(x) @b acquire"),
                ElementsAre("a b"));
}

TEST(Oracle, annotations_order) {
    EXPECT_THAT(races(R"(
        T1 w(x) @a
        T1 happens_before(t)
        T2 happens_after(t)
        T2 w(x) @b
        T1 happens_before(t)
        T1 w(x) @c
    )"),
                ElementsAre("b c"));
}

// Seed 000, §3.2, figure 1. For a9 and b9 to meet, T2 must be through with l2 and so with l3 before T1 takes
// l3 at a0; but T1 waits in that section for b1.
std::vector<std::string> figure_1(bool with_wait, bool with_l3) {
    std::string text;
    for (const std::string_view line :
         {"T1 acq(l3) @a0", "T1 acq(l1) @a1", "T1 wait_pre(c) @a2", "T1 rel(l1) @a3", "T2 acq(l1) @b0",
          "T2 notify(c) @b1", "T2 rel(l1) @b2", "T1 acq(l1) @a4", "T1 wait_post(c) @a5", "T1 acq(l2) @a6",
          "T1 rel(l1) @a7", "T1 rel(l3) @a8", "T1 w(x) @a9", "T1 rel(l2) @a10", "T2 acq(l3) @b4",
          "T2 acq(l2) @b6", "T2 rel(l2) @b7", "T2 rel(l3) @b8", "T2 w(x) @b9"}) {
        if (!with_wait && line.find("(c)") != std::string_view::npos) continue;
        if (!with_l3 && line.find("(l3)") != std::string_view::npos) continue;
        text += std::string(line) + "\n";
    }
    return races(text);
}

TEST(Oracle, waiting_and_crossed_locks_exclude_together_what_neither_excludes_alone) {
    EXPECT_THAT(figure_1(true, true), IsEmpty());
    EXPECT_THAT(figure_1(false, true), ElementsAre("a9 b9"));
    EXPECT_THAT(figure_1(true, false), ElementsAre("a9 b9"));
}

// --- atomicity ---------------------------------------------------------------------------------------

TEST(Oracle, one_critical_section_is_atomic_and_two_are_not) {
    EXPECT_THAT(violations(R"(
        T1 acq(m)
        T1 r(x) @a
        T1 w(x) @b
        T1 rel(m)
        T2 acq(m)
        T2 w(x) @c
        T2 rel(m)
    )"),
                IsEmpty());
    EXPECT_THAT(violations(R"(
        T1 begin
        T1 acq(m)
        T1 r(x) @a
        T1 rel(m)
        T1 acq(m)
        T1 w(x) @b
        T1 rel(m)
        T1 end
        T2 acq(m)
        T2 w(x) @c
        T2 rel(m)
    )"),
                ElementsAre("a c b rww"));
}

TEST(Oracle, all_five_patterns_are_told) {
    const auto pattern = [](const std::string& first, const std::string& remote, const std::string& second) {
        return violations("T1 begin\nT1 " + first + "(x) @a\nT1 " + second + "(x) @c\nT1 end\nT2 " + remote +
                          "(x) @b");
    };
    EXPECT_THAT(pattern("r", "w", "r"), ElementsAre("a b c rwr"));
    EXPECT_THAT(pattern("r", "w", "w"), ElementsAre("a b c rww"));
    EXPECT_THAT(pattern("w", "r", "w"), ElementsAre("a b c wrw"));
    EXPECT_THAT(pattern("w", "w", "r"), ElementsAre("a b c wwr"));
    EXPECT_THAT(pattern("w", "w", "w"), ElementsAre("a b c www"));
    EXPECT_THAT(pattern("r", "r", "w"), IsEmpty());
    EXPECT_THAT(pattern("w", "r", "r"), IsEmpty());
    EXPECT_THAT(violations(R"(
        T1 begin
        T1 atomic_load(x) @a relaxed
        T1 atomic_store(x) @c relaxed
        T1 end
        T2 atomic_rmw(x) @b relaxed
    )"),
                ElementsAre("a b c rww"));
}

TEST(Oracle, the_remote_access_must_fit_in_between) {
    // The join stands between c and c', the fork before c: the child's access may come in between.
    EXPECT_THAT(violations(R"(
        T0 begin
        T0 fork(T1)
        T0 r(x) @a
        T1 w(x) @b
        T0 join(T1)
        T0 r(x) @c
        T0 end
    )"),
                ElementsAre("a b c rwr"));
    // The child is over before c.
    EXPECT_THAT(violations(R"(
        T0 begin
        T0 fork(T1)
        T1 w(x) @b
        T0 join(T1)
        T0 r(x) @a
        T0 r(x) @c
        T0 end
    )"),
                IsEmpty());
    // The remote access is taken with a lock that c' needs and that is never released.
    EXPECT_THAT(violations(R"(
        T1 begin
        T1 r(x) @a
        T1 acq(m)
        T1 r(x) @c
        T1 rel(m)
        T1 end
        T2 acq(m)
        T2 w(x) @b
    )"),
                IsEmpty());
}

TEST(Oracle, transactions_are_sections_without_waits_and_blocks) {
    const ThreadId t1{std::size_t{0}};
    EXPECT_THAT(transactions_of(trace_of(R"(
        T1 acq(m)
        T1 begin
        T1 acq_shared(n)
        T1 rel(m)
        T1 begin
        T1 end
        T1 rel_shared(n)
        T1 end
    )")),
                ElementsAre(Transaction{t1, 0, 3}, Transaction{t1, 1, 7}, Transaction{t1, 2, 6},
                            Transaction{t1, 4, 5}));
    EXPECT_THAT(transactions_of(trace_of(R"(
        T1 acq(m)
        T1 wait_pre(c)
        T1 rel(m)
        T1 acq(m)
        T1 wait_post(c) spurious
        T1 rel(m)
        T1 acq(n)
        T1 begin
        T1 w(x)
    )")),
                ElementsAre(Transaction{t1, 6, 8}, Transaction{t1, 7, 8}));
}

// --- deadlocks ---------------------------------------------------------------------------------------

TEST(Oracle, two_philosophers_starve_unless_a_guard_lets_them_pass_one_by_one) {
    EXPECT_THAT(deadlocks(R"(
        T1 acq(l) @a
        T1 acq(m) @b
        T1 rel(m)
        T1 rel(l)
        T2 acq(m) @c
        T2 acq(l) @d
        T2 rel(l)
        T2 rel(m)
    )"),
                ElementsAre("a>b c>d"));
    EXPECT_THAT(deadlocks(R"(
        T1 acq(g)
        T1 acq(l) @a
        T1 acq(m) @b
        T1 rel(m)
        T1 rel(l)
        T1 rel(g)
        T2 acq(g)
        T2 acq(m) @c
        T2 acq(l) @d
        T2 rel(l)
        T2 rel(m)
        T2 rel(g)
    )"),
                IsEmpty());
}

TEST(Oracle, three_philosophers_starve) {
    EXPECT_THAT(deadlocks(R"(
        T1 acq(l) @a
        T1 acq(m) @b
        T1 rel(m)
        T1 rel(l)
        T2 acq(m) @c
        T2 acq(n) @d
        T2 rel(n)
        T2 rel(m)
        T3 acq(n) @e
        T3 acq(l) @f
    )"),
                ElementsAre("a>b c>d e>f"));
}

TEST(Oracle, readers_do_not_block_readers) {
    const auto with = [](const std::string& hold, const std::string& request) {
        const std::string text = "T1 acq(l) @a\nT1 " + request + "(m) @b\nT1 rel" + request.substr(3) +
                                 "(m)\nT1 rel(l)\nT2 " + hold + "(m) @c\nT2 acq(l) @d\n";
        return deadlocks(text);
    };
    EXPECT_THAT(with("acq_shared", "acq_shared"), IsEmpty());
    EXPECT_THAT(with("acq_shared", "acq"), ElementsAre("a>b c>d"));
    EXPECT_THAT(with("acq", "acq_shared"), ElementsAre("a>b c>d"));
}

TEST(Oracle, a_cycle_is_turned_to_its_earliest_hold) {
    const auto step = [](std::size_t holds, std::size_t requests) {
        return DeadlockStep{EventId{holds}, EventId{requests}};
    };
    EXPECT_EQ(canonical({{step(4, 5), step(0, 7), step(2, 3)}}),
              (Deadlock{{step(0, 7), step(2, 3), step(4, 5)}}));
}

// --- limits ------------------------------------------------------------------------------------------

TEST(Oracle, too_many_states_are_no_answer) {
    const Trace trace = trace_of("T1 w(x)\nT1 w(x)\nT2 w(x)\nT2 w(x)");
    EXPECT_EQ(Oracle(trace).states(), 9U);
    EXPECT_FALSE(Oracle(trace, 9).too_large());
    const Oracle capped(trace, 8);
    EXPECT_TRUE(capped.too_large());
    EXPECT_EQ(capped.feasible(capped.all_races().front()), std::nullopt);
}

TEST(Oracle, a_schedule_takes_events_only_when_they_are_allowed) {
    const Oracle oracle(trace_of("T1 acq(m)\nT1 w(x)\nT1 rel(m)\nT2 acq(m)\nT2 w(x)"));
    const auto schedule = [&](const std::vector<std::size_t>& numbers) {
        std::vector<EventId> events;
        events.reserve(numbers.size());
        for (const std::size_t number : numbers) events.emplace_back(number);
        return oracle.is_schedule(events);
    };
    EXPECT_TRUE(schedule({0, 1, 2, 3, 4}));
    EXPECT_TRUE(schedule({3, 4}));
    EXPECT_FALSE(schedule({0, 3}));
    EXPECT_FALSE(schedule({1}));
    EXPECT_FALSE(schedule({3, 0}));
}

// --- random traces -----------------------------------------------------------------------------------

TEST(SmallTraces, keep_the_rules_and_stay_small) {
    std::set<EventKind> kinds;
    std::size_t feasible = 0;
    std::size_t infeasible = 0;
    std::array<std::size_t, 3> of_sort{};
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        const SmallTraceOptions options = any_small(seed);
        const Trace trace = small_trace(options);
        ASSERT_TRUE(check_rules(trace).clean()) << "seed " << seed << "\n" << text_of(trace);
        ASSERT_EQ(trace, small_trace(options));
        ASSERT_GE(trace.size(), 6U);
        ASSERT_LE(trace.size(), options.events + 1);
        for (const EventView event : trace.events()) kinds.insert(event.kind());

        const Oracle oracle(trace);
        ASSERT_FALSE(oracle.too_large());
        std::vector<EventId> recorded;
        for (const EventView event : trace.events()) recorded.push_back(event.id());
        ASSERT_TRUE(oracle.is_schedule(recorded)) << "seed " << seed << "\n" << text_of(trace);
        for (const auto& properties :
             {oracle.all_races(), oracle.all_atomicity_violations(), oracle.all_deadlocks()}) {
            for (const Property& property : properties) {
                ++(*oracle.feasible(property) ? feasible : infeasible);
                ++of_sort[property.index()];
            }
        }
    }
    // All but fences, allocations and thread_begin.
    EXPECT_EQ(kinds.size(), kEventKinds - 4);
    // Both answers are common, and so is each sort of property.
    EXPECT_GT(feasible, 1000U);
    EXPECT_GT(infeasible, 1000U);
    EXPECT_THAT(of_sort, testing::Each(testing::Gt(100U)));
    RecordProperty("feasible", static_cast<int>(feasible));
    RecordProperty("infeasible", static_cast<int>(infeasible));
}

} // namespace
} // namespace heddle::testing_support
