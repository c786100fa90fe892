// Dining philosophers: forks are taken left first, but only with the waiter's permission, one philosopher at
// a time.
//
// threads: philosopher
//
// not a bug: deadlock
//   asks for 'forks[1]' by `forks[right]` in dine [right],
//     holding 'waiter', 'forks[0]' since `forks[left]` [left]
//   asks for 'forks[2]' by `forks[right]` in dine [right],
//     holding 'waiter', 'forks[1]' since `forks[left]` [left]
//   asks for 'forks[0]' by `forks[right]` in dine [right],
//     holding 'waiter', 'forks[2]' since `forks[left]` [left]
//   because whoever reaches for a second fork holds the waiter
#include "sample.h"

#include <mutex>
#include <thread>

static constexpr int kSeats = 3;
static std::mutex waiter;
static std::mutex forks[kSeats];

NOINLINE static void dine(int seat) {
    const int left = seat;
    const int right = (seat + 1) % kSeats;
    waiter.lock();
    forks[left].lock();  // [left]
    forks[right].lock(); // [right]
    waiter.unlock();
    forks[right].unlock();
    forks[left].unlock();
}

static void philosopher(int seat) {
    name_thread("philosopher");
    for (int meal = 0; meal < 2; ++meal) dine(seat);
}

int main() {
    std::thread threads[kSeats];
    for (int i = 0; i < kSeats; ++i) threads[i] = std::thread(philosopher, i);
    for (std::thread& thread : threads) thread.join();
    return CLEAN_RUN;
}
