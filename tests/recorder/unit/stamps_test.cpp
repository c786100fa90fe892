#include "traces/recorder/stamps.h"

#include <gtest/gtest.h>

namespace heddle::recorder {
namespace {

constexpr std::uint64_t kSomeTurn = 7 * kEpoch + 3 * kTurn;

TEST(Places, are_in_the_order_of_asking) {
    Places places;
    const std::uint64_t first = places.for_stream(kSomeTurn);
    const std::uint64_t second = places.for_history(kSomeTurn);
    const std::uint64_t third = places.for_history(kSomeTurn);
    const std::uint64_t fourth = places.for_stream(kSomeTurn);
    EXPECT_EQ(first, kSomeTurn);
    EXPECT_LE(first, second); // readers put history after events with the same stamp
    EXPECT_LT(second, third);
    EXPECT_LT(third, fourth);
    EXPECT_EQ(places.for_stream(kSomeTurn), fourth); // the order in the stream is enough
}

TEST(Places, never_leave_their_turn) {
    Places places;
    std::uint64_t last = 0;
    for (std::uint64_t i = 0; i < 2 * kTurn; ++i) {
        const std::uint64_t stamp = places.for_history(kSomeTurn);
        EXPECT_GE(stamp, last);
        last = stamp;
    }
    EXPECT_EQ(last, kSomeTurn + kLastPlace);
    EXPECT_LT(last, places.for_stream(kSomeTurn + kTurn));
}

TEST(Stamps, belong_to_the_epoch_of_their_turn) {
    EXPECT_EQ(epoch_of(kSomeTurn + kLastPlace), 7 * kEpoch);
    EXPECT_EQ(epoch_of(7 * kEpoch + kLastTurn + kLastPlace), 7 * kEpoch);
    EXPECT_EQ(epoch_of(8 * kEpoch), 8 * kEpoch);
}

TEST(Stamps, of_an_event_are_after_those_of_its_thread_and_of_what_it_meets) {
    EXPECT_EQ(epoch_after(7 * kEpoch, 3 * kEpoch), 8 * kEpoch);
    EXPECT_EQ(epoch_after(3 * kEpoch, kSomeTurn + kLastPlace), 8 * kEpoch);
    EXPECT_EQ(epoch_after(7 * kEpoch, 0), 8 * kEpoch);
}

TEST(Stamps, are_not_counted_into_the_next_era) {
    EXPECT_EQ(epoch_after(kEra - 2 * kEpoch, 0), kEra - kEpoch);
    EXPECT_EQ(epoch_after(kEra - kEpoch, 0), std::nullopt); // the process's counter gives that out
    EXPECT_EQ(epoch_after(0, 3 * kEra - kEpoch + kLastTurn), std::nullopt);
}

} // namespace
} // namespace heddle::recorder
