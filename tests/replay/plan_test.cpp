// Which operations have to wait for which, so that threads take a schedule.
#include "daemon/replay/plan.h"
#include "daemon/replay/thread_order.h"
#include "trace_script.h"

#include <string>
#include <utility>
#include <vector>

namespace heddle::replay {
namespace {

using enum EventKind;
using heddle::testing_support::TraceScript;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

/// The edges of a schedule that takes the whole trace in its order, by the labels of places.
std::vector<std::pair<std::string, std::string>> edges(const TraceScript& script) {
    const Trace trace = script.trace();
    ThreadOrder order(trace);
    for (std::uint32_t i = 0; i < trace.size(); ++i) order.take(EventId{i});
    std::vector<std::pair<std::string, std::string>> result;
    const auto label = [&](EventId event) { return trace.place_text(trace.place_of(trace[event].stack())); };
    for (const Edge& edge : order.edges()) result.emplace_back(label(edge.before), label(edge.after));
    return result;
}

TEST(ThreadOrder, a_lock_is_passed_on_and_what_it_guards_follows) {
    EXPECT_THAT(edges(TraceScript()
                          .add("A", acquire, "m", {.at = "a1"})
                          .add("A", write, "x", {.at = "a2"})
                          .add("A", release, "m", {.at = "a3"})
                          .add("B", acquire, "m", {.at = "b1"})
                          .add("B", read, "x", {.at = "b2"})
                          .add("B", release, "m", {.at = "b3"})),
                ElementsAre(Pair("a3", "b1")));
}

TEST(ThreadOrder, what_a_thread_knows_it_passes_on) {
    EXPECT_THAT(edges(TraceScript()
                          .add("A", write, "x", {.at = "a1"})
                          .add("A", acquire, "m", {.at = "a2"})
                          .add("A", release, "m", {.at = "a3"})
                          .add("B", acquire, "m", {.at = "b1"})
                          .add("B", release, "m", {.at = "b2"})
                          .add("C", acquire, "m", {.at = "c1"})
                          .add("C", read, "x", {.at = "c2"})),
                ElementsAre(Pair("a3", "b1"), Pair("b2", "c1")));
}

TEST(ThreadOrder, accesses_without_locks_are_ordered_one_by_one) {
    EXPECT_THAT(edges(TraceScript()
                          .add("A", write, "x", {.at = "a1"})
                          .add("B", read, "x", {.at = "b1"})
                          .add("C", read, "x", {.at = "c1"})
                          .add("A", write, "x", {.at = "a2"})),
                ElementsAre(Pair("a1", "b1"), Pair("a1", "c1"), Pair("c1", "a2"), Pair("b1", "a2")));
}

TEST(ThreadOrder, bytes_that_do_not_overlap_are_free) {
    EXPECT_THAT(edges(TraceScript()
                          .add("A", write, "x", {.at = "a1", .bytes = {0, 4}})
                          .add("B", write, "x", {.at = "b1", .bytes = {4, 4}})),
                IsEmpty());
}

TEST(ThreadOrder, creation_joining_and_barriers_need_no_help) {
    EXPECT_THAT(edges(TraceScript()
                          .add("A", thread_begin)
                          .add("A", write, "x", {.at = "a1"})
                          .add("A", fork, "B", {.at = "a2"})
                          .add("B", thread_begin)
                          .add("B", write, "x", {.at = "b1"})
                          .add("B", thread_end)
                          .add("A", join, "B", {.at = "a3"})
                          .add("A", read, "x", {.at = "a4"})),
                IsEmpty());
    EXPECT_THAT(edges(TraceScript()
                          .add("A", write, "x", {.at = "a1"})
                          .add("A", barrier_enter, "b", {.at = "a2", .value = 1})
                          .add("B", barrier_enter, "b", {.at = "b1", .value = 1})
                          .add("B", barrier_leave, "b", {.at = "b1", .value = 1})
                          .add("B", read, "x", {.at = "b2"})),
                IsEmpty());
}

TEST(ThreadOrder, a_notify_finds_who_waits_and_ends_the_wait) {
    EXPECT_THAT(edges(TraceScript()
                          .add("A", acquire, "m", {.at = "a1"})
                          .add("A", wait_pre, "c", {.at = "wait"})
                          .add("A", release, "m", {.at = "wait"})
                          .add("B", notify, "c", {.at = "notify", .value = 1})
                          .add("A", acquire, "m", {.at = "wait"})
                          .add("A", wait_post, "c", {.at = "wait", .value = 1})),
                ElementsAre(Pair("wait", "notify"), Pair("notify", "wait")));
}

TEST(ThreadOrder, a_poll_that_saw_the_same_is_one_operation) {
    const Trace trace = TraceScript()
                            .add("A", atomic_load, "f", {.at = "a", .value = 0})
                            .add("A", read, "x", {.at = "b", .value = 0})
                            .add("A", atomic_load, "f", {.at = "a", .value = 0})
                            .add("A", atomic_load, "f", {.at = "a", .value = 1})
                            .trace();
    OperationReader reader;
    std::vector<bool> again;
    for (const EventView event : trace.events()) again.push_back(reader.next(trace, event)->again);
    EXPECT_THAT(again, ElementsAre(false, false, true, false));
}

TEST(Plan, a_trace_without_code_addresses_has_none) {
    const Trace trace =
        TraceScript().add("A", write, "x", {.at = "a"}).add("A", write, "x", {.at = "b"}).trace();
    const auto made =
        make_plan(trace, {.property = Race{EventId{0U}, EventId{1U}}, .schedule = {}, .variation = {}});
    ASSERT_FALSE(made);
}

} // namespace
} // namespace heddle::replay
