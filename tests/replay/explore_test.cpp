// The neighbours of a schedule, for programs that no longer go quite the way they went when they were
// recorded.
#include "replaying.h"

#include <fstream>
#include <string>

namespace heddle::test {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

class Explored : public testing::Test {
  protected:
    void SetUp() override {
        ASSERT_TRUE(record({std::string(HEDDLE_REPLAY_PROGRAMS) + "/goes_another_way.gcc-O1", way_}, trace_));
        const nlohmann::json findings = findings_in(trace_);
        ASSERT_EQ(findings.size(), 1U) << findings.dump(2);
        ASSERT_EQ(findings[0].at("verdict"), "witnessed");
    }
    /// From now on the program goes that way.
    void now_goes(const std::string& word) { std::ofstream(way_) << word; }

    nlohmann::json replay(std::vector<std::string> more) {
        std::vector<std::string> words = {"replay", "1", trace_, "--format", "json"};
        words.insert(words.end(), more.begin(), more.end());
        const Ran ran = heddle(words);
        nlohmann::json result = nlohmann::json::parse(ran.out);
        EXPECT_EQ(ran.status, result.at("confirmed").get<bool>() ? 0 : 1) << ran.err;
        return result;
    }

    TemporaryFolder folder_;
    std::string way_ = folder_.file("way");
    std::string trace_ = folder_.file("run.htr");
};

TEST_F(Explored, nothing_needs_to_be_if_the_schedule_fits) {
    const nlohmann::json result = replay({"--explore"});
    EXPECT_TRUE(result.at("confirmed"));
    EXPECT_EQ(result.at("attempts"), 1);
}

TEST_F(Explored, memory_that_lies_elsewhere_is_found_by_place) {
    now_goes("moved");
    const nlohmann::json exact = replay({"--attempts", "1"});
    EXPECT_FALSE(exact.at("confirmed"));
    // Which of the two threads is missed first depends on the order that the recorded run took.
    EXPECT_THAT(exact.at("explanation").get<std::string>(),
                AnyOf(HasSubstr("ended before it came to"),
                      HasSubstr("it took another way than in the recorded run")));
    const nlohmann::json explored = replay({"--attempts", "1", "--explore"});
    EXPECT_TRUE(explored.at("confirmed"));
    EXPECT_EQ(explored.at("attempts"), 2);
}

TEST_F(Explored, threads_beyond_the_schedule_may_be_needed_after_all) {
    now_goes("turned");
    const nlohmann::json exact = replay({"--attempts", "1"});
    EXPECT_FALSE(exact.at("confirmed"));
    EXPECT_THAT(exact.at("explanation").get<std::string>(),
                HasSubstr("all threads wait, and nobody comes to the next step"));
    EXPECT_TRUE(replay({"--explore"}).at("confirmed"));
}

TEST_F(Explored, what_does_not_happen_is_confirmed_by_no_neighbour) {
    now_goes("away");
    const nlohmann::json result = replay({"--explore"});
    EXPECT_FALSE(result.at("confirmed"));
    EXPECT_EQ(result.at("attempts"), 8);
    EXPECT_FALSE(result.at("explanation").get<std::string>().empty());
}

} // namespace
} // namespace heddle::test
