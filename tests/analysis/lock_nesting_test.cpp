#include "analysis/lock_nesting.h"
#include "traces/trace_builder.h"

#include <gmock/gmock.h>

namespace heddle {
namespace {

TEST(LockNesting, tells_depth_and_the_first_release_out_of_order) {
    TraceBuilder builder;
    const ThreadId t0{builder.object_named(ObjectKind::thread, "T0")};
    const ThreadId t1{builder.object_named(ObjectKind::thread, "T1")};
    const std::uint32_t l = builder.object_named(ObjectKind::lock, "l");
    const std::uint32_t m = builder.object_named(ObjectKind::lock, "m");
    const auto step = [&](ThreadId thread, EventKind kind, std::uint32_t lock) {
        return builder.add({.kind = kind, .thread = thread, .target = lock});
    };
    step(t0, EventKind::acquire, l);
    step(t0, EventKind::acquire_shared, m);
    const EventId crossed = step(t0, EventKind::release, l);
    step(t0, EventKind::release_shared, m);
    step(t1, EventKind::acquire, l);
    step(t1, EventKind::release, l);

    const auto nesting = lock_nesting(builder.snapshot());
    ASSERT_EQ(nesting.size(), 2U);
    EXPECT_EQ(nesting[0].max_depth, 2U);
    EXPECT_EQ(nesting[0].first_unnested, crossed);
    EXPECT_EQ(nesting[1].max_depth, 1U);
    EXPECT_TRUE(nesting[1].nested());
}

} // namespace
} // namespace heddle
