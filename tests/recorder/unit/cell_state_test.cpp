#include "traces/recorder/cell_state.h"

#include <gtest/gtest.h>

namespace heddle::recorder {
namespace {

TEST(Ownership, tells_only_who_reads_in_a_later_era) {
    const Ownership telling = Ownership::telling(17, 3 * kEra + 5 * kEpoch);
    EXPECT_TRUE(telling.recorded());
    EXPECT_EQ(telling.variable(), 17U);
    EXPECT_FALSE(telling.tells(3 * kEra + 6 * kEpoch)); // later, but perhaps not after the last access
    EXPECT_TRUE(telling.tells(4 * kEra));
}

TEST(Ownership, tells_nobody_when_eras_have_become_too_many_to_count) {
    const Ownership recorded = Ownership::telling(17, kEra << 31U);
    EXPECT_TRUE(recorded.recorded());
    EXPECT_EQ(recorded.variable(), 17U);
    EXPECT_FALSE(recorded.tells(~std::uint64_t{0}));
}

TEST(Ownership, tells_nobody_of_memory_that_is_owned_or_untouched) {
    EXPECT_FALSE(Ownership::by_page(5, 3).tells(~std::uint64_t{0}));
    EXPECT_FALSE(Ownership(0).tells(~std::uint64_t{0}));
    EXPECT_FALSE(Ownership::recorded_as(17).tells(~std::uint64_t{0}));
}

} // namespace
} // namespace heddle::recorder
