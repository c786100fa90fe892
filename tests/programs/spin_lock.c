// Counter under a spin lock made of one atomic flag.
//
// threads: counter
//
// not a bug: race on 'count'
//   write `count` in increment [increment], holding nothing
//   write `count` in increment [increment], holding nothing
//   because taking the spin lock acquires what giving it back released
#include "sample.h"

#include <sched.h>
#include <stdatomic.h>

enum { COUNTERS = 2, TIMES = 3 };

static atomic_bool taken;
static long count;

static NOINLINE void increment(void) {
    while (atomic_exchange_explicit(&taken, 1, memory_order_acquire)) sched_yield();
    count += 1; // [increment]
    atomic_store_explicit(&taken, 0, memory_order_release);
}

static void* counter(void* unused) {
    (void)unused;
    name_thread("counter");
    for (int i = 0; i < TIMES; ++i) increment();
    return NULL;
}

int main(void) {
    pthread_t threads[COUNTERS];
    for (int i = 0; i < COUNTERS; ++i) check(pthread_create(&threads[i], NULL, counter, NULL) == 0);
    for (int i = 0; i < COUNTERS; ++i) check(pthread_join(threads[i], NULL) == 0);
    return count == COUNTERS * TIMES ? CLEAN_RUN : WRONG_RESULT;
}
