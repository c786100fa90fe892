#include "bank.h"

#include <thread>
#include <vector>

void Account::deposit(int amount) {
    const std::lock_guard<std::mutex> lock(mutex_);
    balance_ += amount;
}

void Account::deposit_in_parallel(int amount, int times) {
    std::vector<std::thread> tellers;
    for (int i = 0; i < times; ++i) tellers.emplace_back([this, amount] { deposit(amount); });
    for (std::thread& teller : tellers) teller.join();
}

int Account::balance_at_a_glance() const {
    return balance_;
}

int Account::balance() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return balance_;
}
