#include "analysis/witness/step_links.h"
#include "analysis/witness/story.h"
#include "random_traces.h"
#include "small_traces.h"
#include "traces/generator.h"

#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing_support::random_traces;
using testing_support::trace_of;

std::string name(const Trace& trace, ThreadId thread) {
    return trace.display_name(ObjectKind::thread, thread.value);
}

/// A row as a line: "T1 lock m"; a marked step with a star, one that is not taken in brackets; a gap as
/// "… T1 3, T2 1, others 2".
std::string line(const Trace& trace, const StoryRow& row) {
    if (const auto* step = std::get_if<StoryStep>(&row)) {
        const std::string text =
            fmt::format("{} {}{}{}{}", name(trace, step->thread), step->words, step->value.empty() ? "" : " ",
                        step->value, step->marked ? " *" : "");
        return step->taken ? text : "[" + text + "]";
    }
    const auto& gap = std::get<StoryGap>(row);
    std::vector<std::string> parts;
    for (const StoryGap::Part& part : gap.parts)
        parts.push_back(fmt::format("{} {}", name(trace, part.thread), part.events));
    if (gap.others > 0) parts.push_back(fmt::format("others {}", gap.others));
    return fmt::format("… {}", fmt::join(parts, ", "));
}

std::vector<std::string> lines(const Trace& trace, const Story& story) {
    std::vector<std::string> result;
    for (const StoryRow& row : story.rows) result.push_back(line(trace, row));
    return result;
}

std::vector<std::string> columns(const Trace& trace, const Story& story) {
    std::vector<std::string> result;
    for (const StoryThread& thread : story.threads) result.push_back(name(trace, thread.thread));
    return result;
}

std::vector<std::string> locks(const Trace& trace, const std::vector<HeldLock>& held) {
    std::vector<std::string> result;
    for (const HeldLock& one : held) {
        result.push_back(fmt::format("{} since {}", trace.display_name(ObjectKind::lock, one.lock.value),
                                     one.since.value));
    }
    return result;
}

std::vector<EventId> events(std::initializer_list<std::uint32_t> ids) {
    std::vector<EventId> result;
    for (const std::uint32_t id : ids) result.emplace_back(id);
    return result;
}

Trace bank() {
    return trace_of(R"(
      T0 w(balance) =100
      T0 fork(T1) @main:90
      T0 fork(T2) @main:91
      T1 acq(mu) @deposit:40
      T1 r(balance) @deposit:41 =100
      T1 w(balance) @deposit:41 =150
      T1 rel(mu) @deposit:43
      T2 r(balance) @bonus:57 =150
      T2 w(balance) @bonus:57 =175
      T0 join(T1)
      T0 join(T2)
    )");
}

TEST(Story, of_a_short_schedule_is_the_schedule) {
    const Trace trace = bank();
    const ThreadPasts pasts(trace);
    const Story story =
        tell(pasts, Race{EventId{5U}, EventId{7U}}, {.base = EventId{0U}, .steps = events({0, 1, 2, 3, 4})});
    EXPECT_THAT(lines(trace, story),
                ElementsAre("T0 write balance = 100", "T0 fork T1", "T0 fork T2", "T1 lock mu",
                            "T1 read balance = 100", "[T1 write balance *]", "[T2 read balance *]"));
    EXPECT_THAT(columns(trace, story), ElementsAre("T0", "T1", "T2"));
    EXPECT_EQ(story.shown(), 7U);
    EXPECT_THAT(locks(trace, story.threads[1].held_at_end), ElementsAre("mu since 3"));
    EXPECT_THAT(story.threads[2].held_at_end, IsEmpty());
    EXPECT_EQ(trace.place_text(std::get<StoryStep>(story.rows[3]).place), "deposit:40");
}

TEST(Story, begins_with_the_run_when_few_steps_of_it_come_before) {
    const Trace trace = bank();
    const ThreadPasts pasts(trace);
    const Story story =
        tell(pasts, Race{EventId{5U}, EventId{7U}}, {.base = EventId{3U}, .steps = events({3, 4})});
    EXPECT_EQ(story.base, EventId{0U});
    EXPECT_EQ(story.shown(), 7U);
}

TEST(Story, sums_up_what_went_before) {
    const Trace trace = bank();
    const ThreadPasts pasts(trace);
    const Story story = tell(pasts, Race{EventId{5U}, EventId{7U}},
                             {.base = EventId{4U}, .steps = events({4})}, {.enough = 3});
    EXPECT_EQ(story.base, EventId{4U});
    EXPECT_THAT(lines(trace, story),
                ElementsAre("T1 read balance = 100", "[T1 write balance *]", "[T2 read balance *]"));
    ASSERT_THAT(columns(trace, story), ElementsAre("T1", "T2"));
    EXPECT_EQ(story.threads[0].before, 1U);
    EXPECT_EQ(story.threads[0].forked_by, EventId{1U});
    EXPECT_THAT(locks(trace, story.threads[0].held_before), ElementsAre("mu since 3"));
    EXPECT_EQ(story.threads[1].before, 0U);
    EXPECT_EQ(story.others_before, 3U);
}

TEST(Story, of_an_atomicity_violation_ends_with_its_last_access_and_tells_no_values_that_may_differ) {
    const Trace trace = bank();
    const ThreadPasts pasts(trace);
    const AtomicityViolation violation{EventId{4U}, EventId{8U}, EventId{5U}, AtomicityPattern::rww};
    const Schedule schedule{.base = EventId{0U}, .steps = events({0, 1, 2, 3, 4, 7, 8, 5})};
    EXPECT_THAT(lines(trace, tell(pasts, violation, schedule, {.enough = 7})),
                ElementsAre("… T0 1", "T0 fork T1", "T0 fork T2", "T1 lock mu", "T1 read balance = 100 *",
                            "T2 read balance = 150", "T2 write balance *", "T1 write balance *"));
}

TEST(Story, marked_events_before_the_base_are_told_first) {
    const Trace trace = bank();
    const ThreadPasts pasts(trace);
    const AtomicityViolation violation{EventId{4U}, EventId{8U}, EventId{5U}, AtomicityPattern::rww};
    const Story story =
        tell(pasts, violation, {.base = EventId{5U}, .steps = events({7, 8, 5})}, {.enough = 4});
    EXPECT_THAT(lines(trace, story), ElementsAre("T1 read balance = 100 *", "T2 read balance = 150",
                                                 "T2 write balance *", "T1 write balance *"));
    ASSERT_THAT(columns(trace, story), ElementsAre("T1", "T2"));
    EXPECT_EQ(story.threads[0].before, 1U);
    EXPECT_EQ(story.others_before, 3U);
}

TEST(Story, of_a_deadlock_tells_who_holds_what_each_thread_asks_for) {
    const Trace trace = trace_of(R"(
      T1 acq(a) @1
      T1 acq(b) @2
      T1 rel(b)
      T1 rel(a)
      T2 acq(b) @3
      T2 acq(a) @4
      T2 rel(a)
      T2 rel(b)
    )");
    const ThreadPasts pasts(trace);
    const Deadlock deadlock{{{EventId{0U}, EventId{1U}}, {EventId{4U}, EventId{5U}}}};
    const Story story = tell(pasts, deadlock, {.base = EventId{0U}, .steps = events({0, 4})});
    EXPECT_THAT(lines(trace, story), ElementsAre("T1 lock a", "T2 lock b", "[T1 lock b, held by T2 *]",
                                                 "[T2 lock a, held by T1 *]"));
    EXPECT_THAT(locks(trace, story.threads[0].held_at_end), ElementsAre("a since 0"));
    EXPECT_THAT(locks(trace, story.threads[1].held_at_end), ElementsAre("b since 4"));
}

/// Two threads that do much on their own; T2 goes on once it sees T1's flag.
Trace long_run() {
    std::string text = "T0 fork(T1)\nT0 fork(T2)\n";
    for (int i = 0; i < 100; ++i) text += "T1 w(own1) =1\n";
    text += "T1 w(data) =7\nT1 w(flag) =1\n";
    for (int i = 0; i < 100; ++i) text += "T2 w(own2) =1\n";
    text += "T2 r(flag) =1\nT2 r(data) =7\nT2 acq(m)\n";
    for (int i = 0; i < 50; ++i) text += "T2 r(own2) =1\n";
    text += "T2 w(x)\nT2 rel(m)\nT1 w(x)\n";
    return trace_of(text);
}

TEST(Story, of_a_long_schedule_shows_forks_locks_held_and_what_one_thread_sees_of_another) {
    const Trace trace = long_run();
    const ThreadPasts pasts(trace);
    Schedule schedule{.base = EventId{0U}, .steps = {}};
    for (std::uint32_t id = 0; id < 257; ++id) schedule.steps.emplace_back(id);
    const Race race{EventId{257U}, EventId{259U}};
    const Story story = tell(pasts, race, schedule);
    EXPECT_THAT(lines(trace, story), ElementsAre("T0 fork T1", "T0 fork T2", "… T1 101", "T1 write flag = 1",
                                                 "… T2 100", "T2 read flag = 1", "T2 read data = 7",
                                                 "T2 lock m", "… T2 50", "[T2 write x *]", "[T1 write x *]"));
    EXPECT_EQ(std::get<StoryGap>(story.rows[2]).parts[0].last, EventId{102U});
    EXPECT_EQ(std::get<StoryGap>(story.rows[8]).parts[0].last, EventId{256U});
    EXPECT_EQ(tell(pasts, race, schedule, {.every_step = true}).shown(), 259U);
}

TEST(Story, can_be_told_in_the_recorded_order) {
    const Trace trace = bank();
    const ThreadPasts pasts(trace);
    const Story story = tell(pasts, Race{EventId{4U}, EventId{8U}},
                             {.base = EventId{0U}, .steps = events({0, 1, 2, 7, 3})}, {.enough = 6});
    ASSERT_THAT(lines(trace, story),
                ElementsAre("… T0 1", "T0 fork T1", "T0 fork T2", "T2 read balance = 150", "T1 lock mu",
                            "[T1 read balance *]", "[T2 write balance *]"));
    const Story recorded = as_recorded(pasts, story);
    EXPECT_THAT(lines(trace, recorded),
                ElementsAre("… T0 1", "T0 fork T1", "T0 fork T2", "T1 lock mu", "T1 read balance = 100 *",
                            "… T1 2", "T2 read balance = 150", "T2 write balance = 175 *"));
    EXPECT_THAT(recorded.threads[1].held_at_end, IsEmpty());
    EXPECT_EQ(std::get<StoryGap>(recorded.rows[5]).parts[0].last, EventId{6U});
}

TEST(Story, does_not_tell_that_threads_begin) {
    const Trace trace = trace_of(R"(
      T0 fork(T1)
      T1 thread_begin
      T1 w(x)
      T1 thread_end
      T0 w(x)
    )");
    const ThreadPasts pasts(trace);
    const Schedule schedule{.base = EventId{0U}, .steps = events({0, 1})};
    const Race race{EventId{2U}, EventId{4U}};
    const Story story = tell(pasts, race, schedule);
    EXPECT_THAT(lines(trace, story), ElementsAre("T0 fork T1", "[T1 write x *]", "[T0 write x *]"));
    EXPECT_THAT(lines(trace, as_recorded(pasts, story)),
                ElementsAre("T0 fork T1", "T1 write x *", "… T1 1", "T0 write x *"));
    EXPECT_EQ(tell(pasts, race, schedule, {.every_step = true}).shown(), 4U);
}

TEST(Story, shows_the_block_that_is_broken) {
    std::string text = "T1 begin(transfer)\nT1 r(x) =0\n";
    for (int i = 0; i < 20; ++i) text += "T1 w(y)\n";
    text += "T1 w(x) =1\nT1 end(transfer)\nT2 w(x) =5\n";
    const Trace trace = trace_of(text);
    const ThreadPasts pasts(trace);
    Schedule schedule{.base = EventId{0U}, .steps = {}};
    for (std::uint32_t id = 0; id < 22; ++id) schedule.steps.emplace_back(id);
    schedule.steps.emplace_back(24U);
    schedule.steps.emplace_back(22U);
    const AtomicityViolation violation{EventId{1U}, EventId{24U}, EventId{22U}, AtomicityPattern::rww};
    EXPECT_THAT(
        lines(trace, tell(pasts, violation, schedule)),
        ElementsAre("T1 begin block transfer", "T1 read x = 0 *", "… T1 20", "T2 write x *", "T1 write x *"));
}

TEST(StepLinks, are_what_one_thread_waits_for_of_another) {
    const Trace trace = trace_of(R"(
      T1 w(x) =1
      T1 acq(m)
      T1 rel(m)
      T1 sem_post(s)
      T2 sem_wait(s)
      T2 acq(m)
      T2 rel(m)
      T2 r(x) =1
      T1 acq(m)
    )");
    std::vector<EventId> steps;
    for (const EventView event : trace.events()) steps.push_back(event.id());
    EXPECT_THAT(links_of(trace, steps),
                ElementsAre(StepLink{LinkKind::order, 3, 4}, StepLink{LinkKind::lock, 2, 5},
                            StepLink{LinkKind::value, 0, 7}, StepLink{LinkKind::lock, 6, 8}));
}

TEST(StepLinks, between_two_stretches_of_a_kind_are_one) {
    const Trace trace = trace_of("T1 w(x)\nT1 w(y)\nT1 w(z)\nT2 r(y)\nT2 r(z)\nT2 r(x)\nT2 r(z)\n");
    EXPECT_THAT(links_of(trace, events({0, 1, 2, 3, 4, 5, 6})), ElementsAre(StepLink{LinkKind::value, 2, 4}));
}

TEST(ThreadPasts, know_what_was_held_and_how_far_threads_were) {
    GeneratorSettings settings = realistic();
    settings.events = 30'000;
    settings.threads = 3;
    settings.nested = false;
    const Trace trace = generate(settings);
    const ThreadPasts pasts(trace);
    std::vector<std::vector<HeldLock>> held(trace.thread_count());
    std::vector<std::uint32_t> taken(trace.thread_count());
    for (const EventView event : trace.events()) {
        const ThreadId thread{event.id().value % trace.thread_count()};
        ASSERT_EQ(pasts.taken(thread, event.id()), taken[thread.value]) << event.id().value;
        ASSERT_EQ(pasts.held(thread, event.id()), held[thread.value]) << event.id().value;
        ++taken[event.thread().value];
        take_lock_event(event, held[event.thread().value]);
    }
}

/// Some interleaving of the threads, from a random point of the run on, and two threads that stop somewhere.
/// Need not be feasible: a story is about order and counts.
struct RandomSchedule {
    Schedule schedule;
    Race race;
};

RandomSchedule random_schedule(const Trace& trace, const ThreadPasts& pasts, std::mt19937_64& random) {
    const auto below = [&](std::size_t limit) { return static_cast<std::uint32_t>(random() % limit); };
    const std::uint32_t one = below(trace.thread_count());
    const auto other = static_cast<std::uint32_t>((one + 1) % trace.thread_count());
    const auto last_of = [&](std::uint32_t thread) {
        const ThreadIndex& events = trace.events_of(ThreadId{thread});
        return events[events.size() - 1];
    };
    const EventId base{below(std::min(last_of(one), last_of(other)) + 1)};
    std::vector<std::uint32_t> next;
    for (std::uint32_t thread = 0; thread < trace.thread_count(); ++thread)
        next.push_back(pasts.taken(ThreadId{thread}, base));
    RandomSchedule result{.schedule = {.base = base, .steps = {}}, .race = {}};
    for (std::uint32_t turn = below(100); turn > 0; --turn) {
        const std::uint32_t thread = below(next.size());
        const ThreadIndex& events = trace.events_of(ThreadId{thread});
        const std::size_t end = thread == one || thread == other ? events.size() - 1 : events.size();
        for (std::uint32_t left = below(9); left > 0 && next[thread] < end; --left)
            result.schedule.steps.emplace_back(events[next[thread]++]);
    }
    result.race = {EventId{trace.events_of(ThreadId{one})[next[one]]},
                   EventId{trace.events_of(ThreadId{other})[next[other]]}};
    return result;
}

TEST(Story, of_any_schedule_keeps_order_marks_and_counts) {
    for (const std::uint64_t seed : random_traces(300)) {
        GeneratorSettings settings = every_kind(seed);
        settings.events = 50 + seed % 500;
        const Trace trace = generate(settings);
        const ThreadPasts pasts(trace);
        std::mt19937_64 random(seed);
        const auto [schedule, race] = random_schedule(trace, pasts, random);
        const Story story = tell(pasts, race, schedule);

        std::vector<EventId> told(schedule.steps);
        if (story.base < schedule.base) {
            told.clear();
            for (std::uint32_t id = 0; id < schedule.base.value; ++id) told.emplace_back(id);
            told.insert(told.end(), schedule.steps.begin(), schedule.steps.end());
        }
        std::erase_if(told, [&](EventId event) { return trace[event].kind() == EventKind::thread_begin; });
        told.push_back(race.first);
        told.push_back(race.second);
        // Rows and gaps, one after the other, are the steps; what a gap says of each thread is true.
        std::size_t at = 0;
        std::size_t marked = 0;
        for (const StoryRow& row : story.rows) {
            if (const auto* step = std::get_if<StoryStep>(&row)) {
                ASSERT_LT(at, told.size()) << "seed " << seed;
                ASSERT_EQ(step->event, told[at++]) << "seed " << seed;
                marked += step->marked ? 1U : 0U;
                continue;
            }
            const auto& gap = std::get<StoryGap>(row);
            std::map<ThreadId, std::uint64_t> hidden;
            std::uint64_t total = gap.others;
            for (const StoryGap::Part& part : gap.parts) total += part.events;
            for (; total > 0; --total) ++hidden[trace[told.at(at++)].thread()];
            for (const StoryGap::Part& part : gap.parts)
                ASSERT_EQ(hidden[part.thread], part.events) << "seed " << seed;
        }
        EXPECT_EQ(at, told.size()) << "seed " << seed;
        EXPECT_EQ(marked, 2U) << "seed " << seed;

        std::uint64_t before = story.others_before;
        for (const StoryThread& thread : story.threads) before += thread.before;
        EXPECT_EQ(before, story.base.value) << "seed " << seed;
        EXPECT_EQ(as_recorded(pasts, story).shown(), story.shown()) << "seed " << seed;
    }
}

} // namespace
} // namespace heddle
