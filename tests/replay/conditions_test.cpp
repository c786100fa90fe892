// Schedules through conditions, on which the recorder has to choose who wakes up.
#include "replaying.h"

#include <string>

namespace heddle::test {
namespace {

/// Whether every finding with a witness is confirmed each time, in one attempt.
void expect_confirmed(const std::string& program, std::size_t findings) {
    const TemporaryFolder folder;
    const std::string trace = folder.file("run.htr");
    nlohmann::json found;
    // On a busy machine threads may take another order than the one that shows it.
    for (int runs = 0; runs < 10 && found.size() != findings; ++runs) {
        ASSERT_TRUE(record({std::string(HEDDLE_REPLAY_PROGRAMS) + "/" + program + ".gcc-O1"}, trace));
        found = findings_in(trace);
    }
    ASSERT_EQ(found.size(), findings) << found.dump(2);
    for (const nlohmann::json& finding : found) {
        ASSERT_EQ(finding.at("verdict"), "witnessed");
        const Ran ran = heddle({"replay", std::to_string(finding.at("id").get<int>()), trace, "--attempts",
                                "1", "--times", "5", "--format", "json"});
        EXPECT_EQ(nlohmann::json::parse(ran.out).at("times").at("confirmed"), 5) << ran.out << ran.err;
    }
}

TEST(ReplayedCondition, the_thread_that_was_woken_wakes_up) {
    expect_confirmed("wakes_one", 1);
}

TEST(ReplayedCondition, whoever_wakes_up_asks_for_the_mutex_again) {
    expect_confirmed("asks_again", 1);
}

} // namespace
} // namespace heddle::test
