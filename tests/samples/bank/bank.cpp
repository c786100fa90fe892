// A small bank. Two tellers book deposits; a third pays a bonus and forgets the lock. Almost every run ends with the
// right balance, because the bonus comes long after or long before the deposits.
#include <mutex>
#include <thread>

struct Account {
    std::mutex mu;
    long balance = 100;
};

static Account account;

static void deposit(Account &to, long amount) {
    const std::lock_guard<std::mutex> lock(to.mu);
    to.balance += amount;
}

static void pay_bonus(Account &to) {
    to.balance += 25; // without to.mu
}

int main() {
    std::thread first([] { deposit(account, 50); });
    std::thread second([] { deposit(account, 10); });
    std::thread third([] { pay_bonus(account); });
    first.join();
    second.join();
    third.join();
    return account.balance == 185 ? 0 : 1;
}
