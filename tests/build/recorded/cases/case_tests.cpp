#include "../bank.h"

#include <thread>

#include <gtest/gtest.h>

TEST(Bank, one_teller) {
    Account account;
    account.deposit_in_parallel(5, 1);
    EXPECT_EQ(account.balance(), 5);
}

TEST(Bank, at_a_glance) {
    Account account;
    std::thread teller([&] { account.deposit(5); });
    EXPECT_LE(account.balance_at_a_glance(), 5);
    teller.join();
}

class Tellers : public testing::TestWithParam<int> {};

TEST_P(Tellers, many) {
    Account account;
    account.deposit_in_parallel(1, GetParam());
    EXPECT_EQ(account.balance(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Few, Tellers, testing::Values(2, 3));
