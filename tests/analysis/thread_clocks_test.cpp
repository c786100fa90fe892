#include "analysis/thread_clocks.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace heddle {
namespace {

/// The same, number by number.
struct Both {
    ThreadClocks::Clock clock;
    std::vector<std::uint32_t> counts;
};

TEST(ThreadClocks, are_the_greatest_of_what_they_are_made_of) {
    std::mt19937_64 random(1);
    for (const std::uint32_t threads : {1U, 8U, 16U, 17U, 300U, 5'000U}) {
        ThreadClocks clocks;
        std::vector<Both> all(1, {{}, std::vector<std::uint32_t>(threads)});
        for (std::uint64_t step = 0; step < 100; ++step) {
            Both next{{}, std::vector<std::uint32_t>(threads)};
            std::vector<ThreadClocks::Clock> from;
            std::vector<ThreadClocks::Tick> ticks;
            for (std::uint64_t k = random() % 4; k-- > 0;) {
                const Both& one = all[random() % all.size()];
                from.push_back(one.clock);
                std::ranges::transform(next.counts, one.counts, next.counts.begin(),
                                       [](std::uint32_t a, std::uint32_t b) { return std::max(a, b); });
            }
            for (std::uint64_t k = random() % 4; k-- > 0;) {
                // Threads come up one by one, as in a run.
                const auto thread = static_cast<std::uint32_t>(random() % threads * (step + 1) / 100);
                ticks.push_back({thread, static_cast<std::uint32_t>(random() % 100)});
                next.counts[thread] = std::max(next.counts[thread], ticks.back().count);
            }
            next.clock = clocks.merged(std::move(from), std::move(ticks));
            all.push_back(std::move(next));
        }
        for (const Both& one : all)
            for (std::uint32_t thread = 0; thread < threads; ++thread)
                ASSERT_EQ(clocks.at(one.clock, thread), one.counts[thread]) << threads << " threads";
        EXPECT_EQ(clocks.at(all.back().clock, 1'000'000), 0U);
    }
}

// Each is begun and joined by the first thread before the next one is.
TEST(ThreadClocks, of_many_threads_one_after_another_share_nearly_all) {
    constexpr std::uint32_t kThreads = 100'000;
    ThreadClocks clocks;
    ThreadClocks::Clock main;
    for (std::uint32_t thread = 1; thread < kThreads; ++thread) {
        const ThreadClocks::Clock child = clocks.merged({main}, {{0, 2 * thread - 1}});
        main = clocks.merged({main, child}, {{thread, 10}, {0, 2 * thread}});
    }
    EXPECT_EQ(clocks.at(main, 5), 10U);
    EXPECT_EQ(clocks.at(main, kThreads - 1), 10U);
    EXPECT_LT(clocks.size(), std::size_t{20} * kThreads);
}

} // namespace
} // namespace heddle
