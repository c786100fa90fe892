#include "traces/recorder/held_locks.h"

#include <gtest/gtest.h>

namespace heddle::recorder {
namespace {

using Release = HeldLocks::Release;

TEST(HeldLocks, only_the_outermost_pair_counts) {
    HeldLocks held;
    EXPECT_TRUE(held.acquire(1, false));
    EXPECT_FALSE(held.acquire(1, false));
    EXPECT_EQ(held.release(1), Release::inner);
    EXPECT_EQ(held.release(1), Release::exclusive);
    EXPECT_EQ(held.release(1), Release::not_held);
}

TEST(HeldLocks, a_release_is_in_the_mode_of_its_acquisition) {
    HeldLocks held;
    EXPECT_TRUE(held.acquire(1, true));
    EXPECT_TRUE(held.acquire(2, false));
    EXPECT_EQ(held.release(1), Release::shared);
    EXPECT_EQ(held.release(2), Release::exclusive);
}

TEST(HeldLocks, a_wait_gives_up_all_acquisitions_and_gets_them_back) {
    HeldLocks held;
    held.acquire(7, false);
    held.acquire(7, false);
    EXPECT_EQ(held.release_all(7), 2U);
    EXPECT_FALSE(held.holds(7));
    held.acquire_again(7, 2);
    EXPECT_EQ(held.release(7), Release::inner);
    EXPECT_EQ(held.release(7), Release::exclusive);
}

TEST(HeldLocks, beyond_the_limit_locks_are_held_unseen) {
    HeldLocks held;
    std::uint32_t seen = 0;
    while (held.acquire(seen, false)) ++seen;
    EXPECT_GE(seen, 256U);
    EXPECT_EQ(held.release(seen), Release::not_held);
    EXPECT_EQ(held.release(0), Release::exclusive);
    EXPECT_TRUE(held.acquire(seen, false));
}

} // namespace
} // namespace heddle::recorder
