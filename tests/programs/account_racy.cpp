// Bank account: the tellers lock, the audit only looks, and sees no need to.
//
// threads: teller, audit
//
// bug: race on 'account.balance'
//   write `balance` in Account::deposit [deposit], holding 'account.mutex'
//   read `balance` in Account::total [audit], holding nothing
//   because the audit does not take account.mutex
// not a bug: race on 'account.balance'
//   write `balance` in Account::deposit [deposit], holding 'account.mutex'
//   write `balance` in Account::deposit [deposit], holding 'account.mutex'
//   because the tellers exclude each other
#include "sample.h"

#include <mutex>
#include <thread>

struct Account {
    std::mutex mutex;
    long balance = 100;

    NOINLINE void deposit(long amount) {
        const std::lock_guard<std::mutex> lock(mutex);
        balance += amount; // [deposit]
    }

    NOINLINE long total() const {
        return balance; // [audit]
    }
};

static Account account;

static void teller() {
    name_thread("teller");
    for (int i = 0; i < 3; ++i) account.deposit(50);
}

static void audit() {
    name_thread("audit");
    check(account.total() >= 100);
}

int main() {
    std::thread threads[] = {std::thread(teller), std::thread(teller), std::thread(audit)};
    for (std::thread& thread : threads) thread.join();
    return account.total() == 400 ? CLEAN_RUN : WRONG_RESULT;
}
