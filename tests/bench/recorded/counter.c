/* Four threads count in eight atomic counters: mostly atomic operations. */
#include "workload.h"

#include <stdatomic.h>

enum { THREADS = 4, COUNTERS = 8 };

static struct {
    _Alignas(64) atomic_long value;
} counters[COUNTERS];
static long rounds;

static void *run(void *given) {
    uint64_t state = (uint64_t)(uintptr_t)given;
    for (long i = 0; i < rounds; ++i) {
        atomic_long *counter = &counters[next_random(&state) % COUNTERS].value;
        atomic_fetch_add_explicit(counter, 1, i % 2 == 0 ? memory_order_relaxed : memory_order_acq_rel);
    }
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[THREADS];
    long sum = 0;
    rounds = amount_of_work(count, words);
    for (uintptr_t i = 0; i < THREADS; ++i) check(pthread_create(&threads[i], NULL, run, (void *)(i + 1)) == 0);
    for (int i = 0; i < THREADS; ++i) check(pthread_join(threads[i], NULL) == 0);
    for (int i = 0; i < COUNTERS; ++i) sum += atomic_load(&counters[i].value);
    check(sum == THREADS * rounds);
    return 0;
}
