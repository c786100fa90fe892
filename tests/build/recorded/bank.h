#pragma once

#include <mutex>

class Account {
  public:
    void deposit(int amount);
    void deposit_in_parallel(int amount, int times);
    int balance();

  private:
    std::mutex mutex_;
    int balance_ = 0;
};
