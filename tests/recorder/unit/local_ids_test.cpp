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

} // namespace
} // namespace heddle::recorder
