// What replays have shown is kept beside the trace, for that very run.
#include "daemon/replay/outcome.h"
#include "daemon/replay/results.h"
#include "test_files.h"

#include <fstream>
#include <string>

namespace heddle::replay {
namespace {

using heddle::test::TemporaryFolder;
using testing::ElementsAre;
using testing::IsEmpty;

class Results : public testing::Test {
  protected:
    TemporaryFolder folder_;
    std::string trace_ = folder_.file("run.htr");
    RunIdentity run_{.recorded_unix_ns = 17, .events = 5};
};

TEST_F(Results, are_kept) {
    EXPECT_THAT(load_results(trace_, run_), IsEmpty());
    const ReplayResult one{
        .confirmed = true, .when = "2026-11-16T16:05:00Z", .attempts = 2, .explanation = ""};
    const ReplayResult other{.confirmed = false, .when = "", .attempts = 3, .explanation = "nobody came"};
    ASSERT_TRUE(save_result(trace_, run_, "a", one));
    ASSERT_TRUE(save_result(trace_, run_, "b", other));
    EXPECT_EQ(load_results(trace_, run_), (ReplayResults{{"a", one}, {"b", other}}));
}

TEST_F(Results, that_were_confirmed_stay_so) {
    ASSERT_TRUE(
        save_result(trace_, run_, "a", {.confirmed = true, .when = "", .attempts = 1, .explanation = ""}));
    ASSERT_TRUE(
        save_result(trace_, run_, "a", {.confirmed = false, .when = "", .attempts = 9, .explanation = ""}));
    EXPECT_TRUE(load_results(trace_, run_).at("a").confirmed);
}

TEST_F(Results, of_another_run_are_not_told) {
    ASSERT_TRUE(
        save_result(trace_, run_, "a", {.confirmed = true, .when = "", .attempts = 1, .explanation = ""}));
    EXPECT_THAT(load_results(trace_, {.recorded_unix_ns = 18, .events = 5}), IsEmpty());
    EXPECT_THAT(load_results(trace_, {.recorded_unix_ns = 17, .events = 6}), IsEmpty());
}

TEST_F(Results, that_cannot_be_understood_are_none) {
    for (const char* text :
         {"", "{", "[]", "{\"version\":1}", "{\"version\":\"1\",\"run\":3,\"findings\":[]}",
          "{\"version\":1,\"run\":{\"events\":5,\"recorded_unix_ns\":17},\"findings\":{\"a\":7}}"}) {
        std::ofstream(results_path(trace_)) << text;
        EXPECT_THAT(load_results(trace_, run_), IsEmpty()) << text;
        ASSERT_TRUE(save_result(trace_, run_, "a",
                                {.confirmed = true, .when = "", .attempts = 1, .explanation = ""}));
        EXPECT_TRUE(load_results(trace_, run_).at("a").confirmed);
    }
}

TEST_F(Results, are_told_of_reports) {
    report::TraceReport report{.recorded_unix_ns = 17, .events = 5};
    report.findings = {{.certainty = report::Certainty::witnessed, .recorded_key = "x"},
                       {.certainty = report::Certainty::witnessed, .recorded_key = "y"}};
    ASSERT_TRUE(
        save_result(trace_, run_, "y", {.confirmed = true, .when = "", .attempts = 1, .explanation = ""}));
    mark_confirmed(trace_, report);
    EXPECT_EQ(report.findings[0].certainty, report::Certainty::witnessed);
    EXPECT_EQ(report.findings[1].certainty, report::Certainty::confirmed);
}

TEST(Outcome, is_read_from_what_the_program_told) {
    EXPECT_EQ(read_outcome("").told, Told::nothing);
    EXPECT_EQ(read_outcome("heddle-replay-result 2\nprocess 3\n").told, Told::nothing);
    EXPECT_EQ(read_outcome("heddle-replay-result 1\nprocess 3\n").told, Told::began);
    const Outcome there = read_outcome("heddle-replay-result 1\nprocess 3\nconfirmed 7f00 3 4\n");
    EXPECT_EQ(there.told, Told::confirmed);
    EXPECT_EQ(there.address, 0x7f00U);
    EXPECT_THAT(there.standing, ElementsAre(3U, 4U));
    const Outcome not_there =
        read_outcome("heddle-replay-result 1\nprocess 3\ndiverged ended 1 8\nthread 0 parked 2\n");
    EXPECT_EQ(not_there.told, Told::diverged);
    EXPECT_EQ(not_there.step, 8U);
    EXPECT_EQ(not_there.threads.size(), 1U);
    EXPECT_EQ(read_outcome("heddle-replay-result 1\nrefused rebuilt /a b\n").about, "/a b");
}

} // namespace
} // namespace heddle::replay
