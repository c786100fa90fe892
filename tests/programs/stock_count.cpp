// Shop: a sale looks at the shelf, works out what is left, and writes that down. All of it happens at the
// counter, and the shelf is locked for each of the two steps, but not in between: a stock-taking that comes
// there is forgotten.
//
// threads: clerk, stock-taking
//
// bug: atomicity RWW on 'stock'
//   read `stock` in sell [look], holding 'counter', 'shelf'
//   write `stock` in take_stock [count], holding 'shelf'
//   write `stock` in sell [sell], holding 'counter', 'shelf'
//   because the stock-taking takes the shelf, but not the counter
// not a bug: race on 'stock'
//   write `stock` in sell [sell], holding 'counter', 'shelf'
//   write `stock` in take_stock [count], holding 'shelf'
//   because both hold the shelf
#include "sample.h"

#include <mutex>
#include <thread>

static std::mutex counter; // what happens under it is meant to be one sale
static std::mutex shelf;
static int stock = 10;

NOINLINE static void sell(int items) {
    const std::lock_guard<std::mutex> sale(counter);
    int left = 0;
    {
        const std::lock_guard<std::mutex> lock(shelf);
        left = stock; // [look]
    }
    left -= items;
    {
        const std::lock_guard<std::mutex> lock(shelf);
        stock = left; // [sell]
    }
}

NOINLINE static void take_stock(int counted) {
    const std::lock_guard<std::mutex> lock(shelf);
    stock = counted; // [count]
}

static void clerk() {
    name_thread("clerk");
    sell(1);
}

static void stock_taking() {
    name_thread("stock-taking");
    work();
    take_stock(20);
}

int main() {
    std::thread selling(clerk);
    std::thread counting(stock_taking);
    selling.join();
    counting.join();
    if (stock == 9) return WRONG_RESULT;
    return stock == 20 ? CLEAN_RUN : RARE_ORDER;
}
