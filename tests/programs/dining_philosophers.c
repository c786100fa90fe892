// Dining philosophers: each takes the fork to the left, then the one to the right. They think for different
// times, so nearly always one has eaten before the next sits down.
//
// threads: philosopher
//
// bug: deadlock
//   asks for 'forks[1]' by `forks[right]` in dine [right],
//     holding 'forks[0]' since `forks[left]` [left]
//   asks for 'forks[2]' by `forks[right]` in dine [right],
//     holding 'forks[1]' since `forks[left]` [left]
//   asks for 'forks[0]' by `forks[right]` in dine [right],
//     holding 'forks[2]' since `forks[left]` [left]
//   because all three may hold the fork to their left
#include "sample.h"

enum { SEATS = 3 };

static pthread_mutex_t forks[SEATS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                       PTHREAD_MUTEX_INITIALIZER};

static NOINLINE void dine(long seat) {
    const long left = seat, right = (seat + 1) % SEATS;
    pthread_mutex_lock(&forks[left]);  // [left]
    pthread_mutex_lock(&forks[right]); // [right]
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
}

static void* philosopher(void* seat) {
    name_thread("philosopher");
    for (long thoughts = 0; thoughts < (long)seat; ++thoughts) work();
    dine((long)seat);
    return NULL;
}

int main(void) {
    pthread_t threads[SEATS];
    for (long i = 0; i < SEATS; ++i) check(pthread_create(&threads[i], NULL, philosopher, (void*)i) == 0);
    for (long i = 0; i < SEATS; ++i) check(pthread_join(threads[i], NULL) == 0);
    return CLEAN_RUN;
}
