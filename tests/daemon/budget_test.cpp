#include "daemon/cli/budget.h"
#include "test_files.h"

#include <csignal>
#include <fstream>

#include <gmock/gmock.h>

namespace heddle::cli {
namespace {

TEST(Budget, lasts_until_it_is_interrupted) {
    Budget budget({});
    std::uint64_t seen = 0;
    const Progress progress = budget.progress([&](std::uint64_t done, std::uint64_t) {
        seen = done;
        return true;
    });
    EXPECT_TRUE(progress(1, 10));
    ASSERT_EQ(std::raise(SIGINT), 0);
    EXPECT_FALSE(progress(2, 10));
    EXPECT_FALSE(progress(3, 10));
    EXPECT_EQ(seen, 3U);
    EXPECT_EQ(budget.stopped(), "interrupted");
}

TEST(Budget, stops_when_the_work_below_says_so) {
    Budget budget({});
    EXPECT_FALSE(budget.progress([](std::uint64_t, std::uint64_t) { return false; })(1, 10));
    EXPECT_EQ(budget.stopped(), "");
}

TEST(Budget, reading_leaves_memory_to_the_analysis) {
    const std::uint64_t now = resident_mebibytes();
    ASSERT_GT(now, 0U);
    Budget small({.mebibytes = 2 * now - 1});
    const Progress reading = small.reading({});
    EXPECT_FALSE(reading(1, 10));
    EXPECT_THAT(small.left_out(), testing::HasSubstr("only a part of the run was read"));
    EXPECT_EQ(small.stopped(), "");
    EXPECT_TRUE(small.progress({})(1, 10));
    Budget large({.mebibytes = 4 * now + 64});
    EXPECT_TRUE(large.reading({})(1, 10));
    EXPECT_EQ(large.left_out(), "");
}

TEST(Budget, has_a_limit_of_its_own) {
    const auto available = available_mebibytes();
    ASSERT_TRUE(available);
    EXPECT_GT(*available, 0U);
}

TEST(Budget, files_in_memory_leave_a_container_its_room) {
    const test::TemporaryFolder folder;
    const auto has = [&](const char* name, const char* text) { std::ofstream(folder.file(name)) << text; };
    EXPECT_EQ(container_mebibytes(folder.file("")), std::nullopt);
    has("memory.max", "max\n");
    has("memory.current", "1048576000\n"); // 1000 MiB
    EXPECT_EQ(container_mebibytes(folder.file("")), std::nullopt);
    has("memory.max", "1153433600\n"); // 1100 MiB
    EXPECT_EQ(container_mebibytes(folder.file("")), 100U);
    has("memory.stat", "anon 104857600\nfile 943718400\nkernel 1000\n"); // 900 MiB of files
    EXPECT_EQ(container_mebibytes(folder.file("")), 1000U);
    has("memory.max", "1048576\n");
    EXPECT_EQ(container_mebibytes(folder.file("")), 0U);
}

TEST(Budget, a_second_interrupt_is_the_usual_one) {
    EXPECT_EXIT(
        {
            Budget budget({});
            static_cast<void>(std::raise(SIGINT));
            static_cast<void>(std::raise(SIGINT));
        },
        testing::KilledBySignal(SIGINT), "");
}

} // namespace
} // namespace heddle::cli
