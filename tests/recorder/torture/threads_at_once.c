/* 200 threads that are all alive at the same time. */
#include "../programs/program.h"

enum { THREADS = 200 };

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_barrier_t all;

static void *run(void *unused) {
    (void)unused;
    pthread_barrier_wait(&all);
    for (int i = 0; i < 10; ++i) {
        pthread_mutex_lock(&m);
        x++;
        pthread_mutex_unlock(&m);
    }
    pthread_barrier_wait(&all);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    pthread_barrier_init(&all, NULL, THREADS);
    for (int i = 0; i < THREADS; ++i) check(pthread_create(&threads[i], NULL, run, NULL) == 0);
    for (int i = 0; i < THREADS; ++i) check(pthread_join(threads[i], NULL) == 0);
    check(x == 10 * THREADS);
    return 0;
}
