// The recorder reads plans as they were written, and refuses what is none, whatever it is.
#include "daemon/replay/plan.h"
#include "traces/recorder/replay_plan.h"

#include <string>

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
    plan.needs = {0, 1, 0};
    read.needs = 1;
    write.first_need = 1;
    write.needs = 2;
    plan.steps = {acquire, read, write};
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

} // namespace
} // namespace heddle::replay
