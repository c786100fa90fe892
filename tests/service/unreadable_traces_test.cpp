#include "daemon/service/unreadable_traces.h"

#include <gmock/gmock.h>

namespace heddle::service {
namespace {

using testing::Eq;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;

TEST(UnreadableTraces, each_is_told_once_until_it_can_be_read) {
    UnreadableTraces traces;
    EXPECT_TRUE(traces.is_news("a", "broken"));
    EXPECT_THAT(traces.add("a", "broken"), Optional(Eq("broken")));
    EXPECT_FALSE(traces.is_news("a", "broken"));
    EXPECT_TRUE(traces.is_news("a", "broken elsewhere"));
    EXPECT_EQ(traces.add("a", "broken elsewhere"), std::nullopt);
    EXPECT_THAT(traces.summary(), testing::ElementsAre("broken elsewhere"));
    traces.remove("a");
    EXPECT_THAT(traces.summary(), IsEmpty());
    EXPECT_THAT(traces.add("a", "broken"), Optional(Eq("broken")));
}

TEST(UnreadableTraces, of_many_a_person_hears_of_the_first_few) {
    UnreadableTraces traces;
    std::vector<std::string> told;
    for (int i = 0; i < 1000; ++i) {
        if (const auto one = traces.add(std::to_string(i), "why " + std::to_string(i))) told.push_back(*one);
    }
    ASSERT_EQ(told.size(), 6U);
    EXPECT_EQ(told[4], "why 4");
    EXPECT_THAT(told[5], HasSubstr("more traces cannot be read"));
    EXPECT_EQ(traces.summary().size(), 6U);
    EXPECT_EQ(traces.summary().back(), told[5]);
}

} // namespace
} // namespace heddle::service
