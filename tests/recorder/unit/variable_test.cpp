#include "traces/recorder/variable.h"

#include <gtest/gtest.h>

namespace heddle::recorder {
namespace {

using Part = Variable::Part;

TEST(Variable, agrees_with_anything_before_it_was_told) {
    const Variable variable;
    EXPECT_TRUE(variable.agrees(Part(0, 8), 17));
    EXPECT_FALSE(variable.tells(Part(0, 8), 0));
}

TEST(Variable, knows_bytes_one_by_one) {
    Variable variable;
    variable.learn(Part(2, 2), 0xBEEF);
    EXPECT_TRUE(variable.tells(Part(2, 2), 0xBEEF));
    EXPECT_TRUE(variable.tells(Part(3, 1), 0xBE));
    EXPECT_TRUE(variable.agrees(Part(0, 4), 0xBEEF'1234));
    EXPECT_FALSE(variable.agrees(Part(0, 4), 0xBEEE'1234));
    EXPECT_FALSE(variable.tells(Part(0, 4), 0xBEEF'0000)); // its other half is not known
}

TEST(Variable, forgets_only_what_is_written) {
    Variable variable;
    variable.learn(Part(0, 8), 0x1122'3344'5566'7788);
    variable.forget(Part(4, 4));
    EXPECT_TRUE(variable.agrees(Part(4, 4), 99));
    EXPECT_TRUE(variable.tells(Part(0, 4), 0x5566'7788));
    EXPECT_FALSE(variable.agrees(Part(0, 8), 0x99));
}

TEST(Variable, does_not_know_which_of_several_writes_comes_last) {
    Variable variable;
    EXPECT_TRUE(variable.begin_write(Part(0, 4)));
    EXPECT_TRUE(variable.begin_write(Part(4, 4))); // other bytes
    EXPECT_FALSE(variable.begin_write(Part(2, 4)));
    variable.end_write();
    variable.end_write();
    EXPECT_FALSE(variable.begin_write(Part(0, 1))); // one is still on its way
    variable.end_write();
    variable.end_write();
    EXPECT_TRUE(variable.begin_write(Part(0, 8)));
}

constexpr std::uint32_t kThread = 3;

bool reads_quietly(Variable& variable, Part part, std::uint64_t value, std::uint64_t stamp) {
    return variable.may_be_read_quietly(part, value, kThread, stamp);
}

TEST(Variable, is_read_quietly_only_when_shared_known_and_in_order) {
    Variable variable;
    variable.learn(Part(0, 4), 7);
    variable.last_thread = kThread + 1;
    variable.last_stamp = 10;
    EXPECT_FALSE(reads_quietly(variable, Part(0, 4), 7, 11)); // nobody else reads it
    variable.read_shared = true;
    EXPECT_TRUE(reads_quietly(variable, Part(0, 4), 7, 11));
    EXPECT_TRUE(reads_quietly(variable, Part(0, 4), 7, 10));
    EXPECT_FALSE(reads_quietly(variable, Part(0, 4), 7, 9));  // before the last access
    EXPECT_FALSE(reads_quietly(variable, Part(0, 4), 8, 11)); // not what the trace says
    EXPECT_FALSE(reads_quietly(variable, Part(0, 8), 7, 11)); // half of it is not known
    variable.lock.lock();
    EXPECT_FALSE(reads_quietly(variable, Part(0, 4), 7, 11)); // somebody changes it
}

TEST(Variable, is_read_quietly_by_who_was_there_last_in_the_same_epoch) {
    Variable variable;
    variable.learn(Part(0, 4), 7);
    variable.last_thread = kThread;
    variable.last_stamp = 10;
    EXPECT_TRUE(reads_quietly(variable, Part(0, 4), 7, 10));
    EXPECT_FALSE(reads_quietly(variable, Part(0, 4), 8, 10));
    EXPECT_FALSE(reads_quietly(variable, Part(0, 8), 7, 10));
    EXPECT_FALSE(
        reads_quietly(variable, Part(0, 4), 7, 11)); // a new epoch: that it was there is not known yet
    variable.last_thread = kThread + 1;
    EXPECT_FALSE(reads_quietly(variable, Part(0, 4), 7, 10));
    variable.last_thread = kThread;
    variable.lock.lock();
    EXPECT_FALSE(reads_quietly(variable, Part(0, 4), 7, 10));
}

} // namespace
} // namespace heddle::recorder
