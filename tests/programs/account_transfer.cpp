// Bank accounts: a transfer locks the account it takes from, then the one it gives to. Two transfers in
// opposite directions lock in opposite orders.
//
// threads: salary, rent
//
// bug: deadlock
//   asks for 'household.mutex' by `to.mutex` in transfer [second],
//     holding 'company.mutex' since `from.mutex` [first]
//   asks for 'company.mutex' by `to.mutex` in transfer [second],
//     holding 'household.mutex' since `from.mutex` [first]
//   because each holds the account that the other needs
// not a bug: race on 'company.balance'
//   write `from.balance` in transfer [take], holding 'company.mutex', 'household.mutex'
//   write `to.balance` in transfer [give], holding 'household.mutex', 'company.mutex'
//   because both hold both locks
#include "sample.h"

#include <mutex>
#include <thread>

struct Account {
    std::mutex mutex;
    long balance = 1000;
};

static Account company;
static Account household;

NOINLINE static void transfer(Account& from, Account& to, long amount) {
    const std::lock_guard<std::mutex> first(from.mutex); // [first]
    const std::lock_guard<std::mutex> second(to.mutex);  // [second]
    from.balance -= amount;                              // [take]
    to.balance += amount;                                // [give]
}

static void pay_salary() {
    name_thread("salary");
    transfer(company, household, 300);
}

static void pay_rent() {
    name_thread("rent");
    work();
    transfer(household, company, 100);
}

int main() {
    std::thread salary(pay_salary);
    std::thread rent(pay_rent);
    salary.join();
    rent.join();
    return company.balance + household.balance == 2000 ? CLEAN_RUN : WRONG_RESULT;
}
