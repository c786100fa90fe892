// Which calls a thread is in, however functions leave: by a callback that they call, or that they jump to.
#include "traces/recorder/call_stack.h"

#include <vector>

#include <gtest/gtest.h>

namespace heddle::recorder {
namespace {

constexpr Address kStart = 0x10, kMain = 0x100, kInner = 0x200; // code
constexpr Address kMainStack = 0x9000, kInnerStack = 0x8000;

class CalledFunctions : public testing::Test {
  protected:
    void SetUp() override {
        calls_.start(frames_.data());
        calls_.enter(kStart, kMain, kMainStack);
        main_ = calls_.call_of(kMainStack + 8);
        calls_.enter(kMain + 5, kInner, kInnerStack);
        ASSERT_NE(calls_.call_of(kInnerStack + 8), main_);
    }

    std::vector<Frame> frames_ = std::vector<Frame>(CallStack::kMaxDepth + 1);
    CallStack calls_;
    CallNumber main_ = 0;
};

TEST_F(CalledFunctions, leave_with_a_call) {
    calls_.leave(kInnerStack, kInner + 20);
    EXPECT_EQ(calls_.call_of(kMainStack + 8), main_);
    EXPECT_EQ(calls_.caller(), kStart);
}

TEST_F(CalledFunctions, leave_with_a_jump_when_their_frame_is_gone) {
    calls_.leave(kMainStack, kMain + 5); // the stack pointer is the caller's by then
    EXPECT_EQ(calls_.call_of(kMainStack + 8), main_);
    EXPECT_EQ(calls_.caller(), kStart);
}

TEST_F(CalledFunctions, that_were_skipped_are_left_with_their_caller) {
    calls_.enter(kInner + 5, kInner, kInnerStack - 0x100); // an exception goes up to the function before
    calls_.leave(kInnerStack, kInner + 20);
    EXPECT_EQ(calls_.caller(), kStart);
    EXPECT_EQ(calls_.call_of(kMainStack + 8), main_);
}

} // namespace
} // namespace heddle::recorder
