#include "traces/recorder/epoch_filter.h"

#include <gtest/gtest.h>

namespace heddle::recorder {
namespace {

constexpr std::uint64_t kPlace = 0x4000;

/// Whether the filter knows the access; it does from now on.
bool is_known(EpochFilter& filter, std::uint64_t what) {
    const std::uint64_t key = filter.key_of(what, kPlace);
    EpochFilter::Entry& entry = filter.entry(key);
    if (entry.key == key) return true;
    filter.set(entry, key, 0);
    return false;
}

TEST(EpochFilter, knows_an_access_until_the_next_epoch) {
    EpochFilter filter;
    EXPECT_FALSE(is_known(filter, 8));
    EXPECT_TRUE(is_known(filter, 8));
    filter.next_epoch();
    EXPECT_FALSE(is_known(filter, 8));
}

TEST(EpochFilter, tells_places_and_addresses_apart) {
    EpochFilter filter;
    EXPECT_FALSE(is_known(filter, 8));
    EXPECT_FALSE(is_known(filter, 16));
    EXPECT_NE(filter.key_of(8, kPlace), filter.key_of(8, kPlace + 1));
}

TEST(EpochFilter, knows_most_accesses_of_a_long_epoch) {
    EpochFilter filter;
    constexpr std::uint64_t kMany = 500; // more than it keeps in the small part
    for (int round = 0; round < 2; ++round) {
        for (std::uint64_t i = 0; i < kMany; ++i) static_cast<void>(is_known(filter, 8 * i));
    }
    std::uint64_t known = 0;
    for (std::uint64_t i = 0; i < kMany; ++i) known += is_known(filter, 8 * i) ? 1U : 0U;
    EXPECT_GT(known, kMany / 2);
}

} // namespace
} // namespace heddle::recorder
