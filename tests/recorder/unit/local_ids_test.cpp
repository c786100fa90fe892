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

TEST(PageNumbers, keep_their_numbers_while_the_table_grows) {
    PageNumbers numbers;
    for (std::uint32_t page = 0; page < 10'000; ++page) {
        const std::uint32_t key = 7 * page * htr::kKeysPerPage + 3;
        ASSERT_EQ(numbers.find(key), nullptr);
        ASSERT_EQ(numbers.number_of(numbers.add(key), key), page * htr::kKeysPerPage + 3);
    }
    for (std::uint32_t page = 0; page < 10'000; ++page) {
        const std::uint32_t key = 7 * page * htr::kKeysPerPage + 5;
        ASSERT_NE(numbers.find(key), nullptr);
        ASSERT_EQ(numbers.number_of(*numbers.find(key), key), page * htr::kKeysPerPage + 5);
    }
}

TEST(PageNumbers, tell_keys_with_equal_low_bits_apart) {
    PageNumbers numbers;
    static_cast<void>(numbers.add(1U << 20U));
    static_cast<void>(numbers.add(1U << 21U));
    EXPECT_EQ(numbers.number_of(*numbers.find(1U << 20U), 1U << 20U), 0U);
    EXPECT_EQ(numbers.number_of(*numbers.find(1U << 21U), 1U << 21U), htr::kKeysPerPage);
    EXPECT_EQ(numbers.find(0), nullptr);
}

TEST(PageNumbers, are_all_absent_after_clear) {
    PageNumbers numbers;
    for (int chunk = 0; chunk < 3; ++chunk) {
        for (std::uint32_t key = 0; key < 300 * htr::kKeysPerPage; key += htr::kKeysPerPage) {
            ASSERT_EQ(numbers.find(key), nullptr);
            PageNumbers::Page& page = numbers.add(key);
            ASSERT_EQ(page.seen, 0U);
            ASSERT_EQ(numbers.number_of(page, key), key);
            page.seen = 1;
        }
        numbers.clear();
    }
}

} // namespace
} // namespace heddle::recorder
