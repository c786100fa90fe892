#include "traces/recorder/local_ids.h"

#include <gtest/gtest.h>

namespace heddle::recorder {
namespace {

TEST(LocalIds, keep_their_numbers_while_the_table_grows) {
    LocalIds ids;
    for (std::uint32_t i = 0; i < 10'000; ++i) {
        std::uint32_t& number = ids[std::uint64_t{i} << 33U | i];
        ASSERT_EQ(number, LocalIds::kAbsent);
        number = i;
    }
    for (std::uint32_t i = 0; i < 10'000; ++i) ASSERT_EQ(ids[std::uint64_t{i} << 33U | i], i);
}

TEST(LocalIds, are_all_absent_after_clear) {
    LocalIds ids;
    for (int chunk = 0; chunk < 3; ++chunk) {
        for (std::uint64_t key = 0; key < 300; ++key) {
            ASSERT_EQ(ids[key], LocalIds::kAbsent);
            ids[key] = static_cast<std::uint32_t>(key);
        }
        ids.clear();
    }
}

TEST(DenseIds, keep_their_numbers_while_the_table_grows) {
    DenseIds ids;
    for (std::uint32_t i = 0; i < 10'000; ++i) {
        ASSERT_EQ(ids.find(7 * i), DenseIds::kAbsent);
        ids.set(7 * i, i);
    }
    for (std::uint32_t i = 0; i < 10'000; ++i) ASSERT_EQ(ids.find(7 * i), i);
}

TEST(DenseIds, tell_keys_with_equal_low_bits_apart) {
    DenseIds ids;
    ids.set(1U << 20U, 3);
    ids.set(1U << 21U, 4);
    EXPECT_EQ(ids.find(1U << 20U), 3U);
    EXPECT_EQ(ids.find(1U << 21U), 4U);
    EXPECT_EQ(ids.find(0), DenseIds::kAbsent);
}

TEST(DenseIds, give_a_key_its_latest_number) {
    DenseIds ids;
    ids.set(5, 0);
    ids.set(5, 9);
    EXPECT_EQ(ids.find(5), 9U);
}

TEST(DenseIds, are_all_absent_after_clear) {
    DenseIds ids;
    for (int chunk = 0; chunk < 3; ++chunk) {
        for (std::uint32_t key = 0; key < 300; ++key) {
            ASSERT_EQ(ids.find(key), DenseIds::kAbsent);
            ids.set(key, 300 - key);
        }
        ids.clear();
    }
}

} // namespace
} // namespace heddle::recorder
