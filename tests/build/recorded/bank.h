#pragma once

#include <mutex>

class Account {
  public:
    void deposit(int amount);
    void deposit_in_parallel(int amount, int times);
    int balance();
    int balance_at_a_glance() const; ///< without the lock: a race, which a replay can show

  private:
    std::mutex mutex_;
    int balance_ = 0;
};
