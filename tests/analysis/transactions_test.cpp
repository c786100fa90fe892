#include "analysis/transactions.h"
#include "oracle.h"
#include "small_traces.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing_support::any_small;
using testing_support::small_trace;
using testing_support::text_of;
using testing_support::trace_of;

std::vector<std::string> blocks(const std::string& text, std::vector<TransactionBlock> given = {}) {
    static constexpr const char* kOrigins[] = {"section", "marked", "given"};
    std::vector<std::string> result;
    for (const TransactionBlock& block : transactions(trace_of(text), given)) {
        result.push_back(std::to_string(block.first.value) + "-" + std::to_string(block.last.value) + " " +
                         kOrigins[static_cast<std::size_t>(block.origin)]);
    }
    return result;
}

bool wakes_in(const Trace& trace, const TransactionBlock& block) {
    return std::ranges::any_of(trace.events_of(block.thread), [&](std::uint32_t number) {
        const EventId event{number};
        return block.first < event && event <= block.last && trace[event].kind() == EventKind::wait_post;
    });
}

TEST(Transactions, are_critical_sections_and_marked_blocks) {
    EXPECT_THAT(blocks(R"(
        T1 begin
        T1 acq(l)
        T1 acq_shared(m)
        T1 rel_shared(m)
        T1 rel(l)
        T1 end
    )"),
                ElementsAre("0-5 marked", "1-4 section", "2-3 section"));
}

TEST(Transactions, a_section_that_waits_is_none_but_those_around_the_wait_are) {
    EXPECT_THAT(blocks(R"(
        T1 acq(l)
        T1 acq(m)
        T1 rel(m)
        T1 wait_pre(c)
        T1 rel(l)
        T1 acq(l)
        T1 wait_post(c)
        T1 rel(l)
    )"),
                ElementsAre("1-2 section", "5-7 section"));
}

TEST(Transactions, what_is_open_ends_with_the_thread) {
    EXPECT_THAT(blocks("T1 acq(l)\nT1 begin\nT1 w(x)\nT2 w(x)"), ElementsAre("0-2 section", "1-2 marked"));
    EXPECT_THAT(blocks("T1 w(x)"), IsEmpty());
}

TEST(Transactions, from_elsewhere_are_merged_in) {
    EXPECT_THAT(blocks("T1 w(x)\nT1 acq(l)\nT1 rel(l)",
                       {{ThreadId{0U}, EventId{0U}, EventId{1U}, TransactionOrigin::given}}),
                ElementsAre("0-1 given", "1-2 section"));
}

TEST(Transactions, agree_with_the_definition) {
    for (std::uint64_t seed = 1; seed <= 3'000; ++seed) {
        auto options = any_small(seed);
        options.transactions = seed % 2 == 0;
        options.wait_notify = seed % 3 == 0;
        const Trace trace = small_trace(options);
        std::vector<std::tuple<ThreadId, EventId, EventId>> mine;
        for (const TransactionBlock& block : transactions(trace)) {
            // The oracle leaves out the section that a wait ends in, too.
            if (block.origin == TransactionOrigin::critical_section && wakes_in(trace, block)) continue;
            mine.emplace_back(block.thread, block.first, block.last);
        }
        std::vector<std::tuple<ThreadId, EventId, EventId>> truth;
        for (const auto& block : testing_support::transactions_of(trace)) {
            const ThreadIndex& events = trace.events_of(block.thread);
            truth.emplace_back(block.thread, EventId{events[block.first]}, EventId{events[block.last]});
        }
        std::ranges::sort(truth);
        ASSERT_EQ(mine, truth) << text_of(trace);
    }
}

} // namespace
} // namespace heddle
