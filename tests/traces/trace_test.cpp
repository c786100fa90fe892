#include "traces/retelling.h"
#include "traces/trace_builder.h"

#include <initializer_list>
#include <thread>

#include <gmock/gmock.h>

namespace heddle {
namespace {

using testing::ElementsAre;

ThreadId thread(TraceBuilder& builder, const char* name) {
    return ThreadId{builder.object_named(ObjectKind::thread, name)};
}

TEST(EventHead, packs_every_field_without_touching_the_others) {
    for (std::size_t kind = 0; kind < kEventKinds; ++kind) {
        const EventHead head = EventHead(static_cast<EventKind>(kind), MemoryOrder::acq_rel, {3, 5}, true,
                                         false, StackId{EventHead::kMaxStacks - 1})
                                   .with_thread(ThreadId{EventHead::kMaxThreads - 1});
        EXPECT_EQ(head.kind(), static_cast<EventKind>(kind));
        EXPECT_EQ(head.order(), MemoryOrder::acq_rel);
        EXPECT_EQ(head.bytes(), (ByteRange{3, 5}));
        EXPECT_TRUE(head.has_value());
        EXPECT_FALSE(head.wide());
        EXPECT_EQ(head.thread(), ThreadId{EventHead::kMaxThreads - 1});
        EXPECT_EQ(head.stack(), StackId{EventHead::kMaxStacks - 1});
    }
    EXPECT_FALSE(EventHead(EventKind::read, MemoryOrder::none, {}, false, false, StackId{}).stack().valid());
}

TEST(ByteRange, overlap_is_about_bytes) {
    EXPECT_TRUE((ByteRange{0, 8}).overlaps({4, 2}));
    EXPECT_FALSE((ByteRange{0, 4}).overlaps({4, 4}));
    EXPECT_TRUE((ByteRange{3, 2}).overlaps({4, 1}));
}

TEST(Trace, keeps_events_in_order_and_by_thread) {
    TraceBuilder builder;
    const ThreadId t0 = thread(builder, "T0");
    const ThreadId t1 = thread(builder, "T1");
    const std::uint32_t x = builder.object_named(ObjectKind::variable, "x");
    builder.add({.kind = EventKind::write, .thread = t0, .target = x, .value = 7});
    builder.add({.kind = EventKind::read, .thread = t1, .target = x, .value = 7});
    builder.add({.kind = EventKind::write, .thread = t0, .target = x});
    const Trace trace = builder.snapshot();

    ASSERT_EQ(trace.size(), 3U);
    EXPECT_THAT(std::vector<std::uint32_t>(trace.events_of(t0).begin(), trace.events_of(t0).end()),
                ElementsAre(0, 2));
    EXPECT_THAT(std::vector<std::uint32_t>(trace.events_of(t1).begin(), trace.events_of(t1).end()),
                ElementsAre(1));
    const EventView first = trace[EventId{0U}];
    EXPECT_EQ(first.variable(), VarId{x});
    EXPECT_TRUE(first.has_value());
    EXPECT_EQ(trace.value_of(first), 7U);
    EXPECT_FALSE(trace[EventId{2U}].has_value());
}

/// A stack whose frames are in these files, the outermost first.
StackId stack_in(TraceBuilder& builder, std::initializer_list<const char*> files) {
    StackId stack;
    for (const char* file : files)
        stack = builder.stack({builder.place({.file = builder.string(file), .line = 1}), stack});
    return stack;
}

TEST(Trace, people_look_at_the_call_that_led_into_the_systems_code) {
    TraceBuilder builder;
    constexpr const char* kHeader = "/usr/include/c++/12/bits/stl_vector.h";
    const auto own = stack_in(builder, {"main.cpp", "bank.cpp"});
    const auto called = stack_in(builder, {"main.cpp", "bank.cpp", kHeader, kHeader, ""});
    const auto only_system = stack_in(builder, {"/usr/lib/crt.c", kHeader});
    const auto below_usr = stack_in(builder, {"main.cpp", "/usr/src/app/bank.cpp"});
    const Trace trace = builder.snapshot();
    const auto file = [](const Trace& of, StackId stack) {
        return of.string(of.places()[of.place_for_people(stack).value].file);
    };
    EXPECT_EQ(file(trace, own), "bank.cpp");
    EXPECT_EQ(file(trace, called), "bank.cpp");
    EXPECT_EQ(file(trace, only_system), kHeader);
    EXPECT_EQ(file(trace, below_usr), "/usr/src/app/bank.cpp");
    EXPECT_FALSE(trace.place_for_people(StackId{}).valid());

    Retelling retelling(trace);
    const PlaceId moved = retelling.add_place({.file = retelling.string("account.cpp"), .line = 1});
    retelling.replace_stack(own, {retelling.stack(own).place, retelling.add_stack({moved, StackId{}})});
    retelling.replace_place(retelling.stack(own).place, {.file = retelling.string(kHeader), .line = 2});
    EXPECT_EQ(file(retelling.trace(), called), "account.cpp");
}

TEST(Trace, a_read_modify_write_has_two_values_of_any_size) {
    TraceBuilder builder;
    const ThreadId t0 = thread(builder, "T0");
    const std::uint32_t x = builder.object_named(ObjectKind::variable, "x");
    const Event narrow{.kind = EventKind::atomic_rmw,
                       .thread = t0,
                       .target = x,
                       .order = MemoryOrder::relaxed,
                       .bytes = {4, 4},
                       .value = 0xFFFF'FFFFU,
                       .value_read = 1};
    const Event wide{.kind = EventKind::atomic_rmw,
                     .thread = t0,
                     .target = x,
                     .order = MemoryOrder::relaxed,
                     .bytes = {0, 8},
                     .value = ~std::uint64_t{0},
                     .value_read = 1U};
    builder.add(narrow);
    builder.add(wide);
    const Trace trace = builder.snapshot();
    EXPECT_EQ(trace.spelled_out(trace[EventId{0U}]), narrow);
    EXPECT_EQ(trace.spelled_out(trace[EventId{1U}]), wide);
}

TEST(Trace, a_snapshot_stays_as_it_was_while_the_builder_goes_on) {
    TraceBuilder builder;
    const ThreadId t0 = thread(builder, "T0");
    builder.add({.kind = EventKind::thread_begin, .thread = t0});
    const Trace before = builder.snapshot();
    const Trace copy = before;
    builder.redefine(ObjectKind::thread, 0, Object{.name = builder.string("teller")});
    thread(builder, "T1");
    builder.add({.kind = EventKind::thread_end, .thread = t0});
    EXPECT_EQ(before.size(), 1U);
    EXPECT_EQ(before.thread_count(), 1U);
    EXPECT_EQ(before.events_of(t0).size(), 1U);
    EXPECT_EQ(before.display_name(ObjectKind::thread, 0), "T0");
    EXPECT_EQ(builder.snapshot().display_name(ObjectKind::thread, 0), "teller");
    EXPECT_EQ(before, copy);
    EXPECT_FALSE(before == builder.snapshot());
}

TEST(Trace, range_for_visits_the_range_across_segments) {
    TraceBuilder builder;
    const ThreadId t0 = thread(builder, "T0");
    for (int i = 0; i < 5000; ++i) {
        builder.add({.kind = EventKind::fence, .thread = t0, .order = MemoryOrder::seq_cst});
    }
    const Trace trace = builder.snapshot();
    std::uint32_t expected = 900;
    for (const EventView event : trace.events(EventId{900U}, EventId{4100U})) {
        EXPECT_EQ(event.id().value, expected++);
    }
    EXPECT_EQ(expected, 4100U);
}

TEST(Trace, tables_intern_by_content) {
    TraceBuilder builder;
    const Place place{.file = builder.string("bank.cpp"), .line = 41, .column = 9};
    const PlaceId id = builder.place(place);
    EXPECT_EQ(builder.place(place), id);
    const StackId root = builder.stack({.place = id, .caller = {}});
    const StackId inner = builder.stack({.place = id, .caller = root});
    EXPECT_NE(root, inner);
    EXPECT_EQ(builder.stack({.place = id, .caller = root}), inner);
    const Trace trace = builder.snapshot();
    EXPECT_EQ(trace.place_text(trace.place_of(inner)), "bank.cpp:41:9");
    EXPECT_EQ(trace.place_text(trace.place_of(StackId{})), "");
}

TEST(Trace, takes_24_bytes_per_event) {
    // Head, target and value columns, and one index entry. The values of wide read-modify-writes are
    // extra, and are stated in docs/architecture.md.
    EXPECT_EQ(sizeof(EventHead) + sizeof(std::uint32_t) + sizeof(std::uint64_t) +
                  sizeof(ThreadIndex::Iterator::value_type),
              24U);
}

} // namespace
} // namespace heddle
