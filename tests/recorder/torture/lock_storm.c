/* Four threads, 400,000 lock operations, on eight locks. */
#include "../programs/program.h"

enum { THREADS = 4, ROUNDS = 50000, LOCKS = 8 };

long counts[LOCKS];
pthread_mutex_t locks[LOCKS];

static void *run(void *given) {
    unsigned state = (unsigned)(uintptr_t)given;
    for (int i = 0; i < ROUNDS; ++i) {
        state = state * 1664525U + 1013904223U;
        const unsigned which = (state >> 16) % LOCKS;
        pthread_mutex_lock(&locks[which]);
        counts[which]++;
        pthread_mutex_unlock(&locks[which]);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    long sum = 0;
    for (int i = 0; i < LOCKS; ++i) pthread_mutex_init(&locks[i], NULL);
    for (uintptr_t i = 0; i < THREADS; ++i) check(pthread_create(&threads[i], NULL, run, (void *)(i + 1)) == 0);
    for (int i = 0; i < THREADS; ++i) check(pthread_join(threads[i], NULL) == 0);
    for (int i = 0; i < LOCKS; ++i) sum += counts[i];
    check(sum == (long)THREADS * ROUNDS);
    return 0;
}
