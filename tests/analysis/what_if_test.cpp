// Fixes tried on recorded runs: what a check says is gone is gone, by brute force, and what it calls new is.
#include "analysis/what_if/changed_run.h"
#include "analysis/what_if/check_fix.h"
#include "analysis/what_if/executions.h"
#include "analysis/what_if/guards.h"
#include "oracle.h"
#include "random_traces.h"
#include "small_traces.h"
#include "traces/rules.h"

#include <algorithm>
#include <random>
#include <set>

#include <gmock/gmock.h>

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::any_small;
using testing_support::Oracle;
using testing_support::random_traces;
using testing_support::small_trace;
using testing_support::text_of;
using testing_support::trace_of;

HeldSpan span(std::uint32_t thread, std::uint32_t first, std::uint32_t last, std::uint32_t lock) {
    return {ThreadId{thread}, EventId{first}, EventId{last}, LockId{lock}};
}

const Property kRaceOf0And4 = Race{EventId{0U}, EventId{2U}};

std::string why_not(const Trace& trace, const Property& finding, const Change& change) {
    const auto check = check_fix(trace, finding, change);
    return check ? "it can" : check.error().message;
}

TEST(WhatIf, the_guard_of_the_other_accesses_removes_the_race) {
    const Trace trace = trace_of("T1 w(x) @a\nT2 acq(m)\nT2 w(x) @b\nT2 rel(m)\n");
    const auto check = check_fix(trace, kRaceOf0And4, {.held = {span(0, 0, 0, 0)}});
    ASSERT_TRUE(check);
    EXPECT_TRUE(check->removed);
    EXPECT_TRUE(check->safe());
}

TEST(WhatIf, another_lock_does_not) {
    const Trace trace = trace_of("T1 w(x) @a\nT2 acq(m)\nT2 w(x) @b\nT2 rel(m)\nT2 acq(n)\nT2 rel(n)\n");
    const auto check = check_fix(trace, kRaceOf0And4, {.held = {span(0, 0, 0, 1)}});
    ASSERT_TRUE(check);
    EXPECT_FALSE(check->removed);
    EXPECT_FALSE(check->safe());
}

TEST(WhatIf, a_race_at_one_of_several_executions_is_left) {
    const Trace trace = trace_of("T1 w(x) @a\nT2 acq(m)\nT2 w(x) @b\nT2 rel(m)\nT1 w(x) @a\n");
    EXPECT_FALSE(check_fix(trace, kRaceOf0And4, {.held = {span(0, 0, 0, 0)}})->removed);
    EXPECT_TRUE(check_fix(trace, kRaceOf0And4, {.held = {span(0, 0, 0, 0), span(0, 4, 4, 0)}})->removed);
}

// Both directions of a transfer: each would take the other's lock inside of its own.
TEST(WhatIf, a_lock_inside_of_another_may_bring_a_deadlock) {
    const Trace trace = trace_of(R"(
      T1 acq(a) @from
      T1 w(A) @take
      T1 w(B) @give
      T1 rel(a) @out
      T2 acq(b) @from
      T2 w(B) @take
      T2 w(A) @give
      T2 rel(b) @out
    )");
    const Property race = Race{EventId{2U}, EventId{5U}};
    const auto check = check_fix(trace, race, {.held = {span(0, 2, 2, 1), span(1, 6, 6, 0)}});
    ASSERT_TRUE(check);
    EXPECT_TRUE(check->removed);
    EXPECT_EQ(check->fresh[static_cast<std::size_t>(FindingKind::deadlock)], 1U);
    EXPECT_FALSE(check->safe());
}

TEST(WhatIf, a_deadlock_that_was_there_is_not_new) {
    const Trace trace = trace_of(R"(
      T1 w(x) @x1
      T2 acq(m) @m1
      T2 w(x) @x2
      T2 rel(m) @m2
      T1 acq(a) @a1
      T1 acq(b) @a2
      T1 rel(b) @a3
      T1 rel(a) @a4
      T2 acq(b) @b1
      T2 acq(a) @b2
      T2 rel(a) @b3
      T2 rel(b) @b4
    )");
    EXPECT_TRUE(check_fix(trace, kRaceOf0And4, {.held = {span(0, 0, 0, 0)}})->safe());
}

TEST(WhatIf, no_thread_waits_for_itself) {
    const Trace trace = trace_of("T2 acq(m)\nT2 w(x) @b\nT2 rel(m)\nT1 w(x) @a\nT1 acq(m)\nT1 rel(m)\n");
    const Property race = Race{EventId{1U}, EventId{3U}};
    EXPECT_THAT(why_not(trace, race, {.held = {span(0, 1, 1, 0)}}), HasSubstr("'m' is held there already"));
    EXPECT_THAT(why_not(trace, race, {.held = {span(1, 3, 5, 0)}}), HasSubstr("'m' is held there already"));
}

TEST(WhatIf, no_lock_is_held_while_a_thread_waits) {
    const Trace trace =
        trace_of("T1 w(x) @a\nT1 acq(m)\nT1 wait_pre(c)\nT1 rel(m)\nT2 notify(c) ticket=1\n"
                 "T1 acq(m)\nT1 wait_post(c) ticket=1\nT1 rel(m)\nT2 acq(n)\nT2 w(x) @b\nT2 rel(n)\n");
    EXPECT_THAT(why_not(trace, Race{EventId{0U}, EventId{9U}}, {.held = {span(0, 0, 7, 1)}}),
                HasSubstr("waits for a condition"));
}

// The other thread's release comes too late in the recorded order for the lock to be had where it is wanted.
TEST(WhatIf, threads_make_way_for_each_other) {
    const Trace trace = trace_of("T2 acq(m)\nT2 w(x) @b\nT1 w(x) @a\nT2 w(x) @b\nT2 rel(m)\nT1 w(x) @a\n");
    const auto run = changed_run(trace, {.held = {span(1, 2, 2, 0), span(1, 5, 5, 0)}}, {VarId{0U}});
    ASSERT_TRUE(run);
    EXPECT_TRUE(check_rules(run->trace).clean());
    EXPECT_THAT(run->recorded, ElementsAre(EventId{0U}, EventId{1U}, EventId{3U}, EventId{4U}, EventId{},
                                           EventId{2U}, EventId{}, EventId{}, EventId{5U}, EventId{}));
}

TEST(WhatIf, sections_become_one) {
    const Trace trace = trace_of(R"(
      T1 acq(m) @a1
      T1 r(x) @read
      T1 rel(m) @a2
      T1 acq(m) @a3
      T1 w(x) @write
      T1 rel(m) @a4
      T2 acq(m) @b1
      T2 w(x) @other
      T2 rel(m) @b2
    )");
    const AtomicityViolation violation{EventId{1U}, EventId{7U}, EventId{4U}, AtomicityPattern::rww};
    const Change change{.held = {span(0, 1, 4, 0)}, .joins_sections = true, .atomic = {}};
    const auto run = changed_run(trace, change, {VarId{0U}});
    ASSERT_TRUE(run);
    EXPECT_THAT(run->recorded, ElementsAre(EventId{0U}, EventId{1U}, EventId{4U}, EventId{5U}, EventId{6U},
                                           EventId{7U}, EventId{8U}));
    EXPECT_TRUE(check_fix(trace, violation, change)->safe());
}

TEST(WhatIf, atomic_accesses_do_not_race) {
    const Trace trace = trace_of("T1 w(x) @a\nT1 r(x) @a\nT2 r(x) @b\nT2 w(y)\nT1 w(y)\n");
    EXPECT_TRUE(
        check_fix(trace, kRaceOf0And4, {.held = {}, .joins_sections = false, .atomic = {VarId{0U}}})->safe());
}

// Recorders may have the lock taken again before they have the notify.
TEST(WhatIf, who_waits_has_the_lock_again_when_it_was_notified) {
    const Trace trace = trace_of("T1 acq(m)\nT1 r(x) @a\nT1 wait_pre(c)\nT1 rel(m)\nT1 acq(m)\nT2 w(x) @b\n"
                                 "T2 notify(c) ticket=1\nT1 wait_post(c) ticket=1\nT1 rel(m)\n");
    const auto check = check_fix(trace, Race{EventId{1U}, EventId{5U}}, {.held = {span(1, 5, 5, 0)}});
    ASSERT_TRUE(check) << check.error().message;
    EXPECT_TRUE(check->safe());
}

// The recorder wrote down one round of a loop; held over all of them, others come in between.
TEST(WhatIf, what_may_come_again_may_have_something_in_between) {
    const Trace trace =
        trace_of("T1 w(x) @a\nT1 atomic_load(y) @loop relaxed\nT2 acq(m)\nT2 w(x) @b\nT2 rel(m)\n"
                 "T3 atomic_store(y) @set relaxed\n");
    const Property race = Race{EventId{0U}, EventId{3U}};
    const Change once{.held = {span(0, 0, 1, 0)}};
    EXPECT_TRUE(check_fix(trace, race, once)->safe());
    Change loop = once;
    loop.repeated = {EventId{1U}};
    const auto check = check_fix(trace, race, loop);
    EXPECT_TRUE(check->removed);
    EXPECT_EQ(check->fresh[static_cast<std::size_t>(FindingKind::atomicity)], 1U);
    EXPECT_FALSE(check->safe());
}

TEST(WhatIf, executions_are_runs_through_a_piece) {
    const Trace trace = trace_of(R"(
      T1 r(x) @a
      T1 w(x) @a
      T1 r(x) @a
      T1 w(x) @a
      T1 w(y) @b
      T2 r(x) @a
      T2 w(x) @a
    )");
    std::vector<bool> inside(trace.places().size());
    inside[trace.place_of(trace[EventId{0U}].stack()).value] = true;
    const Executions runs = executions(trace, inside);
    EXPECT_FALSE(runs.recursive);
    EXPECT_THAT(runs.all, ElementsAre(Execution{ThreadId{0U}, EventId{0U}, EventId{1U}},
                                      Execution{ThreadId{0U}, EventId{2U}, EventId{3U}},
                                      Execution{ThreadId{1U}, EventId{5U}, EventId{6U}}));
}

TEST(WhatIf, what_comes_again_may_be_a_loop_in_the_piece) {
    const Trace trace = trace_of("T1 r(x) @a\nT1 r(x) @a\nT1 r(y) @b\nT1 r(x) @a\n");
    std::vector<bool> inside(trace.places().size());
    inside[trace.place_of(trace[EventId{0U}].stack()).value] = true;
    EXPECT_THAT(executions(trace, inside).unbroken,
                ElementsAre(Execution{ThreadId{0U}, EventId{0U}, EventId{1U}},
                            Execution{ThreadId{0U}, EventId{3U}, EventId{3U}}));
}

TEST(WhatIf, an_execution_goes_on_when_another_part_of_the_piece_makes_the_same_call) {
    // Guards of the standard library take their locks at one place, whoever declares them.
    const Trace trace = trace_of("T1|acq(m)|guard@mutex.h:5:1 < f@f.cpp:2:3\n"
                                 "T1|rel(m)|guard@mutex.h:6:1 < f@f.cpp:2:3\n"
                                 "T1|acq(m)|guard@mutex.h:5:1 < f@f.cpp:4:3\n"
                                 "T1|rel(m)|guard@mutex.h:6:1 < f@f.cpp:4:3\n"
                                 "T1|acq(m)|guard@mutex.h:5:1 < f@f.cpp:2:3\n"
                                 "T1|rel(m)|guard@mutex.h:6:1 < f@f.cpp:2:3\n");
    std::vector<bool> inside(trace.places().size());
    for (const EventView event : trace.events())
        inside[trace.stacks()[trace.stacks()[event.stack().value].caller.value].place.value] = true;
    EXPECT_THAT(executions(trace, inside).all,
                ElementsAre(Execution{ThreadId{0U}, EventId{0U}, EventId{3U}},
                            Execution{ThreadId{0U}, EventId{4U}, EventId{5U}}));
}

TEST(WhatIf, the_guard_is_the_lock_that_is_held_most) {
    const Trace trace =
        trace_of("T1 acq(m)\nT1 acq(n)\nT1 w(x)\nT1 rel(n)\nT1 w(x)\nT1 rel(m)\nT2 w(x) @a\n");
    std::vector<bool> elsewhere(trace.places().size());
    elsewhere[trace.place_of(trace[EventId{6U}].stack()).value] = true;
    const auto found = guards(trace, {VarId{0U}}, elsewhere);
    ASSERT_EQ(found.size(), 1U);
    const Guard& guard = found.begin()->second;
    EXPECT_EQ(guard.lock, LockId{0U});
    EXPECT_EQ(guard.held, 2U);
    EXPECT_EQ(guard.accesses, 2U);
    EXPECT_EQ(guard.acquired, EventId{0U});
}

/// A lock over a few events of one thread, or of several.
Change random_change(const Trace& trace, std::mt19937_64& random) {
    const auto below = [&](std::size_t n) { return static_cast<std::uint32_t>(random() % n); };
    Change change;
    change.joins_sections = below(2) == 0;
    if (below(8) == 0) change.atomic = {VarId{below(trace.objects(ObjectKind::variable).size())}};
    const LockId lock{below(trace.objects(ObjectKind::lock).size())};
    for (std::uint32_t thread = 0; thread < trace.thread_count(); ++thread) {
        const ThreadIndex& events = trace.events_of(ThreadId{thread});
        if (events.empty() || below(3) == 0) continue;
        const std::uint32_t first = below(events.size());
        const std::uint32_t last = std::min(first + below(4), static_cast<std::uint32_t>(events.size()) - 1);
        change.held.push_back({ThreadId{thread}, EventId{events[first]}, EventId{events[last]}, lock});
    }
    for (const EventView event : trace.events()) {
        if (is_access(event.kind()) && below(8) == 0) change.repeated.push_back(event.id());
    }
    return change;
}

std::vector<EventId> recorded_order(const ChangedRun& run) {
    std::vector<EventId> order;
    for (const EventId event : run.recorded) {
        const bool again = !order.empty() && std::ranges::find(order, event) != order.end();
        if (event.valid() && !again) order.push_back(event);
    }
    return order;
}

/// What changed_run() promises, but for the locks: threads do what they did, in an order that they could have
/// had without the change, too.
void expect_faithful(const Trace& trace, const Change& change, const ChangedRun& run, std::uint64_t seed) {
    ASSERT_TRUE(check_rules(run.trace).clean()) << "seed " << seed << "\n" << text_of(run.trace);
    ASSERT_EQ(run.recorded.size(), run.trace.size());
    for (const HeldSpan& held : change.held) { // the lock is held over every event of the span
        bool holds = false;
        for (const std::uint32_t id : run.trace.events_of(held.thread)) {
            const EventView event = run.trace[EventId{id}];
            const EventId was = run.recorded[id];
            if (event.kind() == EventKind::release && event.lock() == held.lock) holds = false;
            if (was.valid() && was >= held.first && was <= held.last && event.kind() != EventKind::acquire) {
                ASSERT_TRUE(holds || event.kind() == EventKind::release) << "seed " << seed;
            }
            if (event.kind() == EventKind::acquire && event.lock() == held.lock) holds = true;
        }
    }
    if (!change.joins_sections) {
        ASSERT_TRUE(Oracle(trace).is_schedule(recorded_order(run))) << "seed " << seed << "\n"
                                                                    << text_of(trace) << text_of(run.trace);
    }
}

/// Deadlocks in which an event of the change has a part are new.
std::size_t new_deadlocks(const Oracle& truth, const ChangedRun& run) {
    const std::vector<Property> feasible = truth.feasible_of(truth.all_deadlocks());
    return static_cast<std::size_t>(std::ranges::count_if(feasible, [&](const Property& property) {
        return std::ranges::any_of(std::get<Deadlock>(property).steps, [&](const DeadlockStep& step) {
            return !run.recorded[step.holds.value].valid() || !run.recorded[step.requests.value].valid();
        });
    }));
}

std::vector<VarId> all_variables(const Trace& trace) {
    std::vector<VarId> all;
    for (std::size_t i = 0; i < trace.objects(ObjectKind::variable).size(); ++i) all.emplace_back(i);
    return all;
}

void compare_with_truth(const Trace& trace, const Property& finding, const Change& change, std::uint64_t seed,
                        std::array<std::size_t, 3>& seen) {
    const auto run = changed_run(trace, change, all_variables(trace));
    const auto check = check_fix(trace, finding, change);
    ASSERT_EQ(run.has_value(), check.has_value()) << "seed " << seed;
    if (!check) {
        ++seen[0];
        return;
    }
    expect_faithful(trace, change, *run, seed);
    const Oracle truth(run->trace);
    if (truth.too_large()) return;
    const VarId variable = trace[std::get<Race>(finding).first].variable();
    const std::vector<Property> races = truth.feasible_of(truth.all_races());
    const bool races_left = std::ranges::any_of(races, [&](const Property& race) {
        return run->trace[std::get<Race>(race).first].variable() == variable;
    });
    if (check->removed) {
        ++seen[1];
        ASSERT_FALSE(races_left) << "seed " << seed << "\n" << text_of(trace) << text_of(run->trace);
    }
    const Oracle before(trace);
    const bool had_deadlocks = before.too_large() || !before.feasible_of(before.all_deadlocks()).empty();
    if (check->complete && check->fresh[static_cast<std::size_t>(FindingKind::deadlock)] == 0 &&
        !had_deadlocks) {
        ASSERT_EQ(new_deadlocks(truth, *run), 0U) << "seed " << seed << "\n" << text_of(run->trace);
    }
    if (check->fresh[static_cast<std::size_t>(FindingKind::deadlock)] > 0) ++seen[2];
}

TEST(WhatIf, agrees_with_the_truth_on_random_traces) {
    std::array<std::size_t, 3> seen{}; // refused, removed, with a new deadlock
    for (const std::uint64_t seed : random_traces(4'000)) {
        const Trace trace = small_trace(any_small(seed));
        std::mt19937_64 random(seed);
        const Oracle oracle(trace);
        const std::vector<Property> races = oracle.all_races();
        if (races.empty() || oracle.too_large()) continue;
        const Property& finding = races[random() % races.size()];
        for (int i = 0; i < 4; ++i) {
            const Change change = random_change(trace, random);
            if (change.held.empty() && change.atomic.empty()) continue;
            compare_with_truth(trace, finding, change, seed, seen);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
    for (const std::size_t count : seen) EXPECT_GT(count, 0U);
}

} // namespace
} // namespace heddle
