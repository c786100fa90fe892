#include "trace_script.h"
#include "traces/rules.h"

#include <gmock/gmock.h>

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing_support::TraceScript;
using enum EventKind;

std::vector<std::string> sentences(const RuleReport& report) {
    std::vector<std::string> result;
    for (const RuleBreak& one : report.kept) result.push_back(one.what);
    return result;
}

/// What the rules say, after making sure that the rest of the trace obeys them.
RuleReport check(const Trace& trace) {
    RuleReport report = check_rules(trace);
    const Trace rest = without_broken(trace, report);
    EXPECT_EQ(rest.size(), trace.size() - report.left_out.size());
    const RuleReport again = check_rules(rest);
    EXPECT_THAT(sentences(again), IsEmpty());
    EXPECT_TRUE(again.clean());
    return report;
}

std::vector<std::string> breaks(const TraceScript& script) {
    return sentences(check(script.trace()));
}

std::vector<std::uint32_t> left_out(const TraceScript& script) {
    std::vector<std::uint32_t> result;
    for (const EventId id : check(script.trace()).left_out) result.push_back(id.value);
    return result;
}

TEST(Rules, a_trace_that_obeys_them_is_not_copied) {
    const Trace trace = TraceScript().add("T1", acquire, "mu").add("T1", write, "x", {.value = 1}).trace();
    const RuleReport report = check_rules(trace);
    EXPECT_TRUE(report.clean());
    const Trace same = without_broken(trace, report);
    EXPECT_EQ(&same.objects(ObjectKind::lock).front(), &trace.objects(ObjectKind::lock).front());
}

// --- locks ------------------------------------------------------------------------------------------

TEST(Rules, only_the_owner_releases_a_lock) {
    EXPECT_THAT(breaks(TraceScript()
                           .add("T1", acquire, "mu", {.at = "bank.cpp:41"})
                           .add("T2", release, "mu")
                           .add("T1", release, "mu")
                           .add("T1", release, "mu")),
                ElementsAre("T2 releases 'mu', which T1 holds (acquired at bank.cpp:41)",
                            "T1 releases 'mu', which no thread holds"));
}

TEST(Rules, a_lock_is_released_in_the_mode_in_which_it_is_held) {
    EXPECT_THAT(breaks(TraceScript()
                           .add("T1", acquire_shared, "rw")
                           .add("T1", release, "rw")
                           .add("T1", release_shared, "rw")
                           .add("T1", acquire, "rw")
                           .add("T1", release_shared, "rw")),
                ElementsAre("T1 releases 'rw', which it holds shared (acquired at event 0)",
                            "T1 releases 'rw' shared, which it holds exclusively (acquired at event 3)"));
}

TEST(Rules, a_lock_has_one_owner_and_the_release_of_a_second_goes_with_its_acquire) {
    const RuleReport report = check(TraceScript()
                                        .add("T1", acquire, "mu", {.at = "a"})
                                        .add("T2", acquire, "mu")
                                        .add("T2", release, "mu")
                                        .add("T1", release, "mu")
                                        .trace());
    EXPECT_THAT(sentences(report), ElementsAre("T2 acquires 'mu', which T1 holds (acquired at a)"));
    EXPECT_THAT(report.left_out, ElementsAre(EventId{1U}, EventId{2U}));
    EXPECT_EQ(report.consequences, 1U);
    EXPECT_EQ(report.count_of(Rule::acquire_held), 1U);
    EXPECT_EQ(report.total, 1U);
}

TEST(Rules, shared_and_exclusive_holders_exclude_each_other) {
    EXPECT_THAT(breaks(TraceScript()
                           .add("T1", acquire_shared, "rw", {.at = "a"})
                           .add("T2", acquire_shared, "rw")
                           .add("T3", acquire, "rw")
                           .add("T3", release, "rw")
                           .add("T1", release_shared, "rw")
                           .add("T2", release_shared, "rw")
                           .add("T3", acquire, "rw", {.at = "b"})
                           .add("T1", acquire_shared, "rw")
                           .add("T3", acquire_shared, "rw")),
                ElementsAre("T3 acquires 'rw', which T1 holds shared (acquired at a)",
                            "T1 acquires 'rw' shared, which T3 holds (acquired at b)",
                            "T3 acquires 'rw' shared, which it already holds (acquired at b)"));
}

TEST(Rules, only_the_outermost_pair_of_recursive_acquisitions_stays) {
    const RuleReport report = check(TraceScript()
                                        .add("T1", acquire, "mu")
                                        .add("T1", acquire, "mu")
                                        .add("T1", release, "mu")
                                        .add("T1", release, "mu")
                                        .add("T1", acquire_shared, "rw")
                                        .add("T1", acquire_shared, "rw")
                                        .add("T1", release_shared, "rw")
                                        .add("T1", release_shared, "rw")
                                        .trace());
    EXPECT_EQ(report.total, 0U);
    EXPECT_EQ(report.recursive_acquisitions, 2U);
    EXPECT_THAT(report.left_out, ElementsAre(EventId{1U}, EventId{2U}, EventId{5U}, EventId{6U}));
}

// --- threads ----------------------------------------------------------------------------------------

TEST(Rules, a_thread_is_forked_once_and_before_it_runs) {
    EXPECT_THAT(breaks(TraceScript()
                           .add("T1", write, "x", {.at = "a"})
                           .add("T0", fork, "T1")
                           .add("T0", fork, "T2", {.at = "b"})
                           .add("T1", fork, "T2")
                           .add("T0", fork, "T0")
                           .add("T0", join, "T3", {.at = "c"})
                           .add("T0", fork, "T3")),
                ElementsAre("T0 forks T1, which ran before (its first event is at a)",
                            "T1 forks T2, which T0 forked at b", "T0 forks itself",
                            "T0 forks T3, which was joined at c"));
}

TEST(Rules, a_thread_is_joined_once_and_after_its_last_event) {
    EXPECT_THAT(breaks(TraceScript()
                           .add("T1", write, "x")
                           .add("T0", join, "T1")
                           .add("T1", write, "x", {.at = "z"})
                           .add("T0", join, "T0")
                           .add("T0", join, "T1", {.at = "j"})
                           .add("T2", join, "T1")),
                ElementsAre("T0 joins T1, which still runs (its last event is at z)", "T0 joins itself",
                            "T2 joins T1, which T0 joined at j"));
}

TEST(Rules, nothing_comes_before_a_threads_begin_or_after_its_end) {
    EXPECT_THAT(breaks(TraceScript()
                           .add("T1", write, "x", {.at = "a"})
                           .add("T1", thread_begin)
                           .add("T1", thread_end, "", {.at = "e"})
                           .add("T0", join, "T1")
                           .add("T1", write, "x")),
                ElementsAre("T1 begins after its first event at a", "T1 goes on (write) after its end at e"));
}

TEST(Rules, a_transaction_ends_where_it_began) {
    EXPECT_THAT(breaks(TraceScript()
                           .add("T1", txn_end)
                           .add("T1", txn_begin, "pay", {.at = "p"})
                           .add("T2", txn_end, "pay")
                           .add("T1", txn_end, "ship")
                           .add("T1", txn_end)
                           .add("T1", txn_begin)),
                ElementsAre("T1 ends a transaction without a name that it did not begin",
                            "T2 ends a transaction 'pay' that it did not begin",
                            "T1 ends the transaction 'ship' inside 'pay' (begun at p)"));
}

// --- values -----------------------------------------------------------------------------------------

TEST(Rules, a_read_sees_what_was_written_last) {
    const Trace trace = TraceScript()
                            .add("T1", write, "x", {.at = "a", .value = 7})
                            .add("T2", read, "x", {.value = 5})
                            .add("T2", read, "x", {.value = 7})
                            .trace();
    const RuleReport report = check(trace);
    EXPECT_THAT(sentences(report),
                ElementsAre("T2 reads 5 from 'x', which held 7 (last written by T1 at a)"));
    const Trace rest = without_broken(trace, report);
    ASSERT_EQ(rest.size(), 3U);
    EXPECT_FALSE(rest[EventId{1U}].has_value());
    EXPECT_EQ(rest.value_of(rest[EventId{2U}]), 7U);
}

TEST(Rules, memory_is_what_it_was_first_seen_to_be_and_unknown_after_a_write_of_no_value) {
    EXPECT_THAT(breaks(TraceScript()
                           .add("T1", read, "x", {.at = "a", .value = 7})
                           .add("T2", atomic_load, "x", {.value = 8})
                           .add("T2", write, "x")
                           .add("T2", read, "x", {.value = 9})),
                ElementsAre("T2 reads 8 from 'x', which held 7 (last read by T1 at a)"));
}

TEST(Rules, values_are_compared_byte_by_byte) {
    EXPECT_THAT(
        breaks(TraceScript()
                   .add("T1", write, "x", {.value = 0x1122, .bytes = {0, 2}})
                   .add("T1", read, "x", {.value = 0x11, .bytes = {1, 1}})
                   .add("T1", read, "x", {.value = 0x3311, .bytes = {1, 2}})
                   .add("T1", write, "x", {.value = 0x44, .bytes = {1, 1}})
                   .add("T1", read, "x", {.value = 0x334422, .bytes = {0, 4}})
                   .add("T1", read, "x", {.value = 0x22, .bytes = {1, 1}})
                   .add("T1", read, "x", {.value = 0x330000, .bytes = {0, 8}})),
        ElementsAre("T1 reads 34 from 'x', which held 68 (last read by T1 at event 4)",
                    "T1 reads 3342336 from 'x', which held in part 3359778 (last read by T1 at event 4)"));
}

TEST(Rules, an_unexplained_read_modify_write_loses_both_values) {
    const Trace trace = TraceScript()
                            .add("T1", atomic_store, "x", {.value = 1})
                            .add("T2", atomic_rmw, "x", {.value = 2, .value_read = 1})
                            .add("T2", atomic_rmw, "x", {.value = 9, .value_read = 1})
                            .add("T1", atomic_load, "x", {.value = 4})
                            .trace();
    const RuleReport report = check(trace);
    EXPECT_THAT(sentences(report),
                ElementsAre("T2 reads 1 from 'x', which held 2 (last written by T2 at event 1)"));
    EXPECT_THAT(report.forgotten, ElementsAre(EventId{2U}));
}

TEST(Rules, a_value_fits_in_its_bytes) {
    EXPECT_THAT(
        breaks(TraceScript()
                   .add("T1", write, "x", {.value = 256, .bytes = {3, 1}})
                   .add("T1", read, "x", {.value = 0x10000, .bytes = {0, 2}})
                   .add("T1", atomic_rmw, "x", {.value = 0x100, .value_read = 1, .bytes = {0, 1}})),
        ElementsAre("T1: the value 0x100 of this write of 'x' does not fit in 1 byte",
                    "T1: the value 0x10000 of this read of 'x' does not fit in 2 bytes",
                    "T1: the value 0x100 of this atomic read-modify-write of 'x' does not fit in 1 byte"));
}

// --- waiting ----------------------------------------------------------------------------------------

TEST(Rules, a_wait_ends_what_it_began) {
    EXPECT_THAT(breaks(TraceScript()
                           .add("T1", wait_post, "c")
                           .add("T1", wait_pre, "c", {.at = "w"})
                           .add("T1", wait_pre, "d")
                           .add("T1", wait_post, "d")
                           .add("T1", wait_post, "d")
                           .add("T1", wait_post, "c")),
                ElementsAre("T1 ends a wait for 'c' that it did not begin",
                            "T1 waits for 'd' while it already waits for 'c' (since w)",
                            "T1 ends a wait for 'd' that it did not begin: it waits for 'c' (since w)"));
}

TEST(Rules, a_ticket_is_given_by_a_notify_during_the_wait_and_a_notify_ends_one_wait) {
    const RuleReport report = check(TraceScript()
                                        .add("T0", notify, "c", {.value = 1})
                                        .add("T1", wait_pre, "c", {.at = "w"})
                                        .add("T2", wait_pre, "c")
                                        .add("T0", notify, "c", {.at = "n", .value = 2})
                                        .add("T1", wait_post, "c", {.value = 2})
                                        .add("T2", wait_post, "c", {.value = 2})
                                        .add("T1", wait_pre, "c", {.at = "v"})
                                        .add("T1", wait_post, "c", {.value = 1})
                                        .add("T1", wait_pre, "c")
                                        .add("T2", wait_pre, "c")
                                        .add("T0", notify_all, "c", {.value = 3})
                                        .add("T1", wait_post, "c", {.value = 3})
                                        .add("T2", wait_post, "c", {.value = 3})
                                        .trace());
    EXPECT_THAT(
        sentences(report),
        ElementsAre("T2 is woken from 'c' by ticket 2, which already woke T1 (notify at n)",
                    "T1 is woken from 'c' by ticket 1, which no notify gave since the wait began at v"));
    EXPECT_THAT(report.forgotten, ElementsAre(EventId{5U}, EventId{7U}));
    EXPECT_THAT(report.left_out, IsEmpty());
}

TEST(Rules, who_enters_a_round_that_is_over_or_leaves_one_it_did_not_enter_goes) {
    EXPECT_THAT(breaks(TraceScript()
                           .add("T1", barrier_enter, "b", {.value = 0})
                           .add("T2", barrier_enter, "b", {.value = 0})
                           .add("T1", barrier_leave, "b", {.at = "l", .value = 0})
                           .add("T1", barrier_enter, "b", {.value = 1})
                           .add("T3", barrier_enter, "b", {.value = 0})
                           .add("T3", barrier_leave, "b", {.value = 0})
                           .add("T2", barrier_leave, "b", {.value = 0})
                           .add("T2", barrier_leave, "b", {.value = 1})),
                ElementsAre("T3 enters round 0 of 'b' when round 0 is over (T1 left it at l)",
                            "T2 leaves round 1 of 'b', which it did not enter"));
}

// --- states -----------------------------------------------------------------------------------------

TEST(Rules, a_semaphore_with_a_known_count_does_not_go_below_zero) {
    EXPECT_THAT(breaks(TraceScript()
                           .add("T0", sem_init, "s", {.at = "i", .value = 1})
                           .add("T1", sem_wait, "s")
                           .add("T2", sem_wait, "s")
                           .add("T1", sem_post, "s")
                           .add("T2", sem_wait, "s")
                           .add("T0", sem_init, "s", {.value = 1})
                           .add("T1", sem_wait, "unknown", {.at = "u"})
                           .add("T1", sem_init, "unknown", {.value = 1})),
                ElementsAre("T2 passes 's', whose count is 0 (it began with 1 at i)",
                            "T0 initialises 's', which was initialised at i",
                            "T1 initialises 'unknown', which was in use at u"));
}

TEST(Rules, once_is_begun_once_ended_by_its_beginner_and_seen_afterwards) {
    EXPECT_THAT(breaks(TraceScript()
                           .add("T1", once_end, "o")
                           .add("T1", once_seen, "o")
                           .add("T1", once_begin, "o", {.at = "b"})
                           .add("T2", once_end, "o")
                           .add("T2", once_seen, "o")
                           .add("T2", once_begin, "o")
                           .add("T2", once_end, "o")
                           .add("T1", once_end, "o", {.at = "e"})
                           .add("T2", once_begin, "o")
                           .add("T1", once_end, "o")
                           .add("T2", once_seen, "o")),
                ElementsAre("T1 ends 'o', which no thread began", "T1 sees 'o' done, which no thread began",
                            "T2 ends 'o', which T1 began at b",
                            "T2 sees 'o' done, which T1 has not ended (begun at b)",
                            "T2 begins 'o', which T1 began at b", "T2 begins 'o', which T1 ended at e",
                            "T1 ends 'o', which T1 ended at e"));
}

TEST(Rules, a_block_is_allocated_once_and_freed_once) {
    EXPECT_THAT(breaks(TraceScript()
                           .add("T1", EventKind::free, "early")
                           .add("T1", alloc, "early", {.at = "a"})
                           .add("T1", alloc, "early")
                           .add("T2", EventKind::free, "early", {.at = "f"})
                           .add("T1", EventKind::free, "early")
                           .add("T1", EventKind::free, "older than the trace")
                           .add("T1", alloc, "early")),
                ElementsAre("T1 frees 'early', which is allocated only later",
                            "T1 allocates 'early', which T1 allocated at a",
                            "T1 frees 'early', which T2 freed at f",
                            "T1 allocates 'early', which T1 allocated at a"));
}

TEST(Rules, annotations_and_fences_can_stand_anywhere) {
    EXPECT_THAT(left_out(TraceScript()
                             .add("T1", happens_after, "tag")
                             .add("T1", fence, "", {.order = MemoryOrder::seq_cst})
                             .add("T1", happens_before, "tag")),
                IsEmpty());
}

// --- the report -------------------------------------------------------------------------------------

TEST(Rules, words_are_kept_for_the_first_breaks_only) {
    TraceScript script;
    for (int i = 0; i < 1000; ++i) script.add("T1", release, "mu");
    const RuleReport report = check_rules(script.trace(), {.max_damage_reported = 3});
    EXPECT_EQ(report.kept.size(), 3U);
    EXPECT_EQ(report.total, 1000U);
    EXPECT_EQ(report.count_of(Rule::release_not_held), 1000U);
    EXPECT_EQ(report.left_out.size(), 1000U);
}

TEST(Rules, what_is_left_keeps_ids_and_tables) {
    TraceScript script;
    script.add("T1", release, "only here", {.at = "first"})
        .add("T2", atomic_rmw, "x", {.value = ~std::uint64_t{0}, .value_read = 1})
        .add("T2", acquire, "mu", {.at = "second"});
    const Trace trace = script.trace();
    const Trace rest = without_broken(trace, check_rules(trace));
    ASSERT_EQ(rest.size(), 2U);
    EXPECT_EQ(rest.spelled_out(rest[EventId{0U}]), trace.spelled_out(trace[EventId{1U}]));
    EXPECT_EQ(rest.spelled_out(rest[EventId{1U}]), trace.spelled_out(trace[EventId{2U}]));
    EXPECT_EQ(rest.name(ObjectKind::lock, 0), "only here");
    EXPECT_EQ(rest.places(), trace.places());
    EXPECT_EQ(rest.stacks(), trace.stacks());
    EXPECT_EQ(rest.string_count(), trace.string_count());
}

} // namespace
} // namespace heddle
