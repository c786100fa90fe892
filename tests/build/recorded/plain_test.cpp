#include "bank.h"

int main() {
    Account account;
    account.deposit_in_parallel(5, 3);
    return account.balance() == 15 ? 0 : 1;
}
