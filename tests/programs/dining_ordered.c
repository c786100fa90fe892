// Dining philosophers: everyone takes the fork with the lower number first, so the last one reaches to the
// right.
//
// threads: philosopher
//
// not a bug: deadlock
//   asks for 'forks[1]' by `forks[high]` in dine [high],
//     holding 'forks[0]' since `forks[low]` [low]
//   asks for 'forks[2]' by `forks[high]` in dine [high],
//     holding 'forks[1]' since `forks[low]` [low]
//   asks for 'forks[2]' by `forks[high]` in dine [high],
//     holding 'forks[0]' since `forks[low]` [low]
//   because locks that are taken in one order make no cycle
#include "sample.h"

enum { SEATS = 3 };

static pthread_mutex_t forks[SEATS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                       PTHREAD_MUTEX_INITIALIZER};

static NOINLINE void dine(long seat) {
    const long left = seat, right = (seat + 1) % SEATS;
    const long low = left < right ? left : right, high = left + right - low;
    pthread_mutex_lock(&forks[low]);  // [low]
    pthread_mutex_lock(&forks[high]); // [high]
    pthread_mutex_unlock(&forks[high]);
    pthread_mutex_unlock(&forks[low]);
}

static void* philosopher(void* seat) {
    name_thread("philosopher");
    for (int meal = 0; meal < 2; ++meal) dine((long)seat);
    return NULL;
}

int main(void) {
    pthread_t threads[SEATS];
    for (long i = 0; i < SEATS; ++i) check(pthread_create(&threads[i], NULL, philosopher, (void*)i) == 0);
    for (long i = 0; i < SEATS; ++i) check(pthread_join(threads[i], NULL) == 0);
    return CLEAN_RUN;
}
