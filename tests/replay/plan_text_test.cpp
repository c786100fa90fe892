// The recorder reads plans as they were written, and refuses what is none, whatever it is.
#include "daemon/replay/plan.h"
#include "traces/recorder/replay_plan.h"

#include <string>
#include <vector>

namespace heddle::replay {
namespace {

using testing::HasSubstr;

Plan sample_plan() {
    Plan plan{.violation = Violation::atomicity, .stall_ms = 100, .limit_ms = 2000, .stay = true};
    plan.modules = {{"0123abcd", "/home/a program/run"}, {"", "/lib/some.so"}};
    plan.threads = {{0, 0}, {0, 1}, {1, 2}};
    PlanStep acquire{
        .thread = 1, .operation = Operation::acquire, .count = 3, .place_module = 0, .place_offset = 0x1a40};
    PlanStep read{.thread = 2,
                  .operation = Operation::read,
                  .role = Role::first,
                  .place_module = 1,
                  .place_offset = 0x20,
                  .rule = AddressRule::exact,
                  .address_module = 0,
                  .address = 0x4000};
    PlanStep write{.thread = 0,
                   .operation = Operation::write,
                   .role = Role::remote,
                   .part = 1,
                   .place_module = 0,
                   .place_offset = 0x30,
                   .rule = AddressRule::low,
                   .address = 0xeb0};
    PlanStep again = read;
    again.role = Role::second;
    again.part = 2;
    plan.needs = {0, 1, 0, 2};
    read.needs = 1;
    write.first_need = 1;
    write.needs = 2;
    again.first_need = 3;
    again.needs = 1;
    plan.steps = {acquire, read, write, again};
    return plan;
}

TEST(PlanText, is_read_as_it_was_written) {
    const std::string text = plan_text(sample_plan());
    const auto read = parse_plan(text);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(plan_text(*read), text);
    EXPECT_EQ(read->modules[0].path, "/home/a program/run");
    EXPECT_EQ(read->steps[2].address, 0xeb0U);
    EXPECT_TRUE(read->stay);
}

TEST(PlanText, that_is_cut_off_anywhere_is_refused) {
    const std::string text = plan_text(sample_plan());
    for (std::size_t size = 0; size + 1 < text.size(); ++size)
        EXPECT_FALSE(parse_plan(text.substr(0, size))) << text.substr(0, size);
}

TEST(PlanText, with_any_byte_changed_is_refused_or_another_plan) {
    const std::string text = plan_text(sample_plan());
    for (std::size_t at = 0; at < text.size(); ++at) {
        for (const char byte : {'\0', ' ', '9', '-', '\n', '\xff'}) {
            std::string changed = text;
            changed[at] = byte;
            if (const auto read = parse_plan(changed); read) {
                for (const PlanStep& step : read->steps) {
                    ASSERT_LT(step.thread, read->threads.size());
                    ASSERT_LT(step.place_module, read->modules.size());
                    ASSERT_LE(step.first_need + step.needs, read->needs.size());
                    ASSERT_LT(step.part, kMaxParts);
                }
                for (const std::uint32_t need : read->needs) ASSERT_LT(need, read->steps.size());
            }
        }
    }
}

TEST(PlanText, says_what_is_wrong) {
    const auto problem = [](const std::string& lines) {
        const auto read = parse_plan("heddle-replay-plan 1\n" + lines);
        return read ? std::string() : read.error().message;
    };
    EXPECT_THAT(problem("rubbish\n"), HasSubstr("line 2"));
    EXPECT_THAT(problem("thread 1 1\n"), HasSubstr("parent"));
    EXPECT_THAT(problem("module - /a\nthread 0 0\nstep 0 read order 0 1 1+0 -\n"),
                HasSubstr("its place is wrong"));
    EXPECT_THAT(problem("module - /a\nthread 0 0\nstep 0 jump order 0 1 0+0 -\n"), HasSubstr("operation"));
    EXPECT_THAT(problem("module - /a\nthread 0 0\nstep 0 read order 0 0 0+0 -\n"), HasSubstr("count"));
    EXPECT_THAT(problem("module - /a\nthread 0 0\nstep 0 read order 0 1 0+0 - 5\nend 1\n"),
                HasSubstr("not there"));
    EXPECT_THAT(problem("end 0\n"), HasSubstr("no steps"));
    EXPECT_FALSE(parse_plan("heddle-replay-plan 2\n"));
}

/// What is wrong with a plan of these steps, of three threads.
std::string problem_of(const std::string& violation, const std::vector<std::string>& steps) {
    std::string text = "heddle-replay-plan 1\nviolation " + violation +
                       "\nlimits 100 1000\nmodule - /a\nthread 0 0\nthread 0 1\nthread 0 2\n";
    for (const std::string& step : steps) text += "step " + step + "\n";
    const auto read = parse_plan(text + "end " + std::to_string(steps.size()) + "\n");
    return read ? std::string() : read.error().message;
}

TEST(PlanText, that_claims_no_race_is_refused) {
    EXPECT_EQ(problem_of("race", {"1 write stand 0 1 0+0 -", "2 read stand 1 1 0+8 -"}), "");
    EXPECT_EQ(problem_of("race", {"1 write stand 0 1 0+0 -", "2 atomic stand 1 1 0+8 -"}), "");
    EXPECT_NE(problem_of("race", {"1 read order 0 1 0+0 -"}), "");
    EXPECT_NE(problem_of("race", {"1 write stand 0 1 0+0 -"}), "");
    EXPECT_NE(problem_of("race", {"1 read stand 0 1 0+0 -", "2 read stand 1 1 0+8 -"}), "");
    EXPECT_NE(problem_of("race", {"1 atomic stand 0 1 0+0 -", "2 atomic stand 1 1 0+8 -"}), "");
    EXPECT_NE(problem_of("race", {"1 write stand 0 1 0+0 -", "1 write stand 1 1 0+8 -"}), "");
    EXPECT_NE(problem_of("race", {"1 write stand 0 1 0+0 -", "2 write stand 0 1 0+8 -"}), "");
    EXPECT_NE(problem_of("race", {"1 acquire stand 0 1 0+0 -", "2 acquire stand 1 1 0+8 -"}), "");
    EXPECT_NE(
        problem_of("race", {"1 write stand 0 1 0+0 -", "2 write stand 1 1 0+8 -", "0 write stand 2 1 0+8 -"}),
        "");
    EXPECT_NE(
        problem_of("race", {"1 write stand 0 1 0+0 -", "2 write stand 1 1 0+8 -", "0 write first 0 1 0+8 -"}),
        "");
}

TEST(PlanText, that_claims_no_atomicity_violation_is_refused) {
    EXPECT_EQ(problem_of("atomicity", {"1 read first 0 1 0+0 -", "2 write remote 1 1 0+8 - 0",
                                       "1 write second 2 1 0+4 - 1"}),
              "");
    // by one thread alone; by three
    EXPECT_NE(problem_of("atomicity", {"1 read first 0 1 0+0 -", "1 write remote 1 1 0+8 - 0",
                                       "1 write second 2 1 0+4 - 1"}),
              "");
    EXPECT_NE(problem_of("atomicity", {"1 read first 0 1 0+0 -", "2 write remote 1 1 0+8 - 0",
                                       "0 write second 2 1 0+4 - 1"}),
              "");
    // the remote access may come before the first, or after the second
    EXPECT_NE(problem_of("atomicity", {"1 read first 0 1 0+0 -", "2 write remote 1 1 0+8 -",
                                       "1 write second 2 1 0+4 - 1"}),
              "");
    EXPECT_NE(problem_of("atomicity", {"1 read first 0 1 0+0 -", "2 write remote 1 1 0+8 - 0",
                                       "1 write second 2 1 0+4 -"}),
              "");
    EXPECT_NE(problem_of("atomicity", {"1 write second 2 1 0+4 - 2", "1 read first 0 1 0+0 -",
                                       "2 write remote 1 1 0+8 - 1"}),
              "");
    EXPECT_NE(problem_of("atomicity", {"1 read first 0 1 0+0 -", "2 write remote 1 1 0+8 - 0"}), "");
}

TEST(PlanText, that_claims_no_deadlock_is_refused) {
    const std::string mine = "1 acquire holds 0 1 0+0 -", other = "2 acquire_shared holds 1 1 0+8 -";
    EXPECT_EQ(problem_of("deadlock", {mine, "1 acquire stand 0 1 0+4 -", other, "2 acquire stand 1 1 0+9 -"}),
              "");
    EXPECT_EQ(problem_of("deadlock", {mine, "1 wake stand 0 1 0+4 -", other, "2 acquire stand 1 1 0+9 -"}),
              "");
    // who holds, does not ask; one alone; what is asked for is no lock; it is asked for before
    EXPECT_NE(problem_of("deadlock", {mine, "2 acquire stand 0 1 0+4 -", other, "1 acquire stand 1 1 0+9 -"}),
              "");
    EXPECT_NE(problem_of("deadlock", {mine, "1 acquire stand 0 1 0+4 -"}), "");
    EXPECT_NE(
        problem_of("deadlock", {mine, "1 sem_wait stand 0 1 0+4 -", other, "2 acquire stand 1 1 0+9 -"}), "");
    EXPECT_NE(problem_of("deadlock", {"1 acquire stand 0 1 0+4 -", mine, other, "2 acquire stand 1 1 0+9 -"}),
              "");
    EXPECT_NE(problem_of("deadlock", {mine, "1 acquire stand 0 1 0+4 -", "2 acquire stand 1 1 0+9 -"}), "");
}

} // namespace
} // namespace heddle::replay
