#include "traces/append_vector.h"

#include <numeric>
#include <thread>

#include <gmock/gmock.h>

namespace heddle {
namespace {

TEST(AppendVector, keeps_what_was_appended_across_segments) {
    AppendVector<int, 2> numbers;
    for (int i = 0; i < 1000; ++i) numbers.push_back(i);
    const auto view = numbers.snapshot();
    ASSERT_EQ(view.size(), 1000U);
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(view[static_cast<std::size_t>(i)], i);
    int expected = 0;
    for (const int number : view) EXPECT_EQ(number, expected++);
    EXPECT_EQ(expected, 1000);
}

TEST(AppendVector, a_snapshot_does_not_see_later_elements) {
    AppendVector<int, 2> numbers;
    numbers.push_back(1);
    const auto before = numbers.snapshot();
    numbers.push_back(2);
    EXPECT_THAT(std::vector<int>(before.begin(), before.end()), testing::ElementsAre(1));
    EXPECT_EQ(numbers.snapshot().size(), 2U);
}

TEST(AppendVector, elements_do_not_move) {
    AppendVector<int, 2> numbers;
    numbers.push_back(7);
    const int* first = &numbers[0];
    for (int i = 0; i < 10'000; ++i) numbers.push_back(i);
    EXPECT_EQ(&numbers[0], first);
}

TEST(AppendVector, replacing_leaves_snapshots_alone) {
    AppendVector<int, 2> numbers;
    for (int i = 0; i < 20; ++i) numbers.push_back(i);
    const auto before = numbers.snapshot();
    numbers.replace(3, 99);
    EXPECT_EQ(before[3], 3);
    EXPECT_EQ(numbers.snapshot()[3], 99);
    EXPECT_EQ(numbers.snapshot()[19], 19);
}

TEST(AppendVector, room_is_contiguous_and_only_committed_elements_count) {
    AppendVector<int, 2> numbers;
    const auto room = numbers.space(100);
    ASSERT_EQ(room.size(), 4U);
    std::iota(room.begin(), room.end(), 0);
    numbers.commit(3);
    EXPECT_EQ(numbers.size(), 3U);
    EXPECT_EQ(numbers.space(100).size(), 1U);
}

// Meaningful under the tsan preset: the reader must need no lock.
TEST(AppendVector, a_snapshot_is_read_while_the_owner_appends) {
    AppendVector<int, 2> numbers;
    for (int i = 0; i < 1000; ++i) numbers.push_back(i);
    std::jthread reader([view = numbers.snapshot()] {
        for (int round = 0; round < 100; ++round) {
            EXPECT_EQ(std::accumulate(view.begin(), view.end(), 0), 999 * 1000 / 2);
        }
    });
    for (int i = 0; i < 100'000; ++i) numbers.push_back(i);
}

} // namespace
} // namespace heddle
