// Bank account: at the end of the month interest is added with the books closed. Every access of the balance
// takes the account's lock, and yet a correction that comes between reading and writing the balance is lost:
// who makes it does not know that it has to wait for the books.
//
// threads: month-end, correction
//
// bug: atomicity RWW on 'account.balance'
//   read `balance` in Account::get [get], holding 'books', 'account.mutex'
//   write `balance` in Account::set [set], holding 'account.mutex'
//   write `balance` in Account::set [set], holding 'books', 'account.mutex'
//   because the correction takes account.mutex, but not books
// not a bug: race on 'account.balance'
//   read `balance` in Account::get [get], holding 'books', 'account.mutex'
//   write `balance` in Account::set [set], holding 'account.mutex'
//   because both hold account.mutex
#include "sample.h"

#include <mutex>
#include <thread>

struct Account {
    std::mutex mutex;
    long balance = 1000;

    NOINLINE long get() {
        const std::lock_guard<std::mutex> lock(mutex);
        return balance; // [get]
    }

    NOINLINE void set(long amount) {
        const std::lock_guard<std::mutex> lock(mutex);
        balance = amount; // [set]
    }
};

static Account account;
static std::mutex books; // what happens under it is meant to be one booking

static void month_end() {
    name_thread("month-end");
    const std::lock_guard<std::mutex> closed(books);
    account.set(account.get() * 105 / 100);
}

static void correction() {
    name_thread("correction");
    work();
    account.set(2000);
}

int main() {
    std::thread closing(month_end);
    std::thread correcting(correction);
    closing.join();
    correcting.join();
    if (account.balance == 1050) return WRONG_RESULT;
    return account.balance == 2000 ? CLEAN_RUN : RARE_ORDER;
}
