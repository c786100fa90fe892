// What a person sees of a schedule.
#include "daemon/report/display_width.h"
#include "daemon/report/story_text.h"
#include "trace_script.h"
#include "traces/load.h"

#include <sstream>

#include <gmock/gmock.h>

namespace heddle::report {
namespace {

using enum EventKind;
using testing::Each;
using testing::Le;
using testing_support::TraceScript;

Trace bank() {
    const auto loaded = load_trace(HEDDLE_SAMPLES "/bank.std");
    return loaded.value().trace;
}

std::vector<EventId> events(std::initializer_list<std::uint32_t> ids) {
    std::vector<EventId> result;
    for (const std::uint32_t id : ids) result.emplace_back(id);
    return result;
}

/// T1 stands at its write, with the lock, T2 at its read, without.
Story bank_race(const ThreadPasts& pasts) {
    return tell(pasts, Race{EventId{6U}, EventId{10U}},
                {.base = EventId{0U}, .steps = events({0, 1, 2, 3, 4, 5})}, {.every_step = true});
}

std::vector<std::size_t> widths(const std::string& text) {
    std::vector<std::size_t> result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) result.push_back(display_width(line));
    return result;
}

std::string lines(std::string_view text) {
    return std::string(text.substr(1)); // the first line break only makes the test easier to read
}

TEST(StoryText, has_one_column_a_thread_and_marks_the_violation) {
    const Trace trace = bank();
    EXPECT_EQ(story_text(trace, bank_race(ThreadPasts(trace)), 120), lines(R"(
       T0                                        T1                               T2
   1   write acct->balance = 100  bank.cpp:87
   2   write acct->deposits = 0           :88
   3   fork T1                            :90
   4   fork T2                            :91
   5                                             lock acct->mu     bank.cpp:40
   6                                             read acct->balance = 100  :41
   7                                           ▶ write acct->balance       :41 ◀
   8                                                                            ▶ read acct->balance  bank.cpp:57 ◀
)"));
}

TEST(StoryText, leaves_out_values_where_the_terminal_is_narrow) {
    const Trace trace = bank();
    EXPECT_EQ(story_text(trace, bank_race(ThreadPasts(trace)), 110), lines(R"(
       T0                                  T1                            T2
   1   write acct->balance  bank.cpp:87
   2   write acct->deposits         :88
   3   fork T1                      :90
   4   fork T2                      :91
   5                                       lock acct->mu  bank.cpp:40
   6                                       read acct->balance     :41
   7                                     ▶ write acct->balance    :41 ◀
   8                                                                   ▶ read acct->balance  bank.cpp:57 ◀
)"));
}

TEST(StoryText, puts_threads_below_each_other_where_columns_do_not_fit) {
    const Trace trace = bank();
    EXPECT_EQ(story_text(trace, bank_race(ThreadPasts(trace)), 60), lines(R"(
   1  T0   write acct->balance = 100  bank.cpp:87
   2  T0   write acct->deposits = 0           :88
   3  T0   fork T1                            :90
   4  T0   fork T2                            :91
   5  T1   lock acct->mu                      :40
   6  T1   read acct->balance = 100           :41
   7  T1 ▶ write acct->balance                :41 ◀
   8  T2 ▶ read acct->balance                 :57 ◀
)"));
}

TEST(StoryText, tells_what_went_before_and_what_was_left_out) {
    TraceScript script;
    script.add("main", fork, "worker").add("worker", acquire, "mu", {.at = "a"});
    for (int i = 0; i < 30; ++i) script.add("worker", write, "own").add("other", write, "its");
    script.add("worker", write, "x", {.at = "b"}).add("main", write, "x", {.at = "c"});
    const Trace trace = script.trace();
    Schedule schedule{.base = EventId{10U}, .steps = {}};
    for (std::uint32_t id = 10; id < 62; ++id) schedule.steps.emplace_back(id);
    const Story story = tell(ThreadPasts(trace), Race{EventId{62U}, EventId{63U}}, schedule, {.enough = 4});
    EXPECT_EQ(story_text(trace, story, 120), lines(R"(
   the run as recorded, up to event 10:
      T1 worker: 5 events, holds 'mu' since @a
      T0 main: 1 event, holds nothing
      other threads: 4 events
   then:
       T1 worker      T0 main
       … 26 events
       … 26 events of other threads
   1 ▶ write x  @b ◀
   2                ▶ write x  @c ◀
)"));
}

TEST(StoryText, keeps_columns_straight_whatever_the_names) {
    TraceScript script;
    for (const char* thread : {"Prüfer", "監査", "tes\u0301t"}) {
        script.add(thread, acquire, "a lock with a very long name that fits no column", {.at = "ä"});
        script.add(thread, release, "a lock with a very long name that fits no column", {.at = "ö"});
    }
    script.add("Prüfer", write, "変数", {.at = "1"}).add("監査", write, "変数", {.at = "2"});
    const Trace trace = script.trace();
    Schedule schedule{.base = EventId{0U}, .steps = events({0, 1, 2, 3, 4, 5})};
    const Story story =
        tell(ThreadPasts(trace), Race{EventId{6U}, EventId{7U}}, schedule, {.every_step = true});
    for (const std::size_t width : {60U, 80U, 100U, 120U, 200U}) {
        EXPECT_THAT(widths(story_text(trace, story, width)), Each(Le(width))) << width;
    }
    EXPECT_EQ(story_text(trace, story, 90), lines(R"(
       T0 Prüfer                   T1 監査                     T2 teśt
   1   lock a lock with a …  @ä
   2   unlock a lock with …  @ö
   3                               lock a lock with a …  @ä
   4                               unlock a lock with …  @ö
   5                                                           lock a lock with a v…  @ä
   6                                                           unlock a lock with a…  @ö
   7 ▶ write 変数            @1 ◀
   8                             ▶ write 変数            @2 ◀
)"));
}

TEST(DisplayWidth, counts_columns) {
    EXPECT_EQ(display_width("plain"), 5U);
    EXPECT_EQ(display_width("▶ é…"), 4U);
    EXPECT_EQ(display_width("監査"), 4U);
    EXPECT_EQ(display_width("e\u0301"), 1U);
    EXPECT_EQ(display_width("\xff\xfe"), 2U);
    EXPECT_EQ(cut_to_width("監査人", 5), "監査…");
    EXPECT_EQ(cut_to_width("監査人", 6), "監査人");
    EXPECT_EQ(cut_to_width("abc", 2), "a…");
    EXPECT_EQ(padded("監", 4), "監  ");
}

} // namespace
} // namespace heddle::report
