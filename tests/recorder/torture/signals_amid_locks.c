/* Signals arrive while threads lock, wait, allocate and are created; the handler counts, and some of it is shared. */
#include "../programs/program.h"

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

enum { THREADS = 3, ROUNDS = 4000 };

atomic_long handled;
atomic_int left = THREADS;
long x;
volatile sig_atomic_t last;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void handler(int number) {
    last = number;
    atomic_fetch_add(&handled, 1);
}

static void *nothing(void *unused) {
    return unused;
}

static void *run(void *unused) {
    (void)unused;
    while (atomic_load(&handled) == 0) sched_yield(); /* or all might be over before the first signal */
    for (int i = 0; i < ROUNDS; ++i) {
        pthread_mutex_lock(&m);
        x++;
        pthread_mutex_unlock(&m);
        free(malloc((size_t)(i % 512) + 1));
        if (i % 500 == 0) {
            pthread_t thread;
            check(pthread_create(&thread, NULL, nothing, NULL) == 0);
            check(pthread_join(thread, NULL) == 0);
        }
    }
    atomic_fetch_sub(&left, 1);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    check(sigaction(SIGUSR1, &action, NULL) == 0);
    for (int i = 0; i < THREADS; ++i) check(pthread_create(&threads[i], NULL, run, NULL) == 0);
    for (int i = 0; atomic_load(&left) == THREADS; ++i) (void)pthread_kill(threads[i % THREADS], SIGUSR1);
    for (int i = 0; i < THREADS; ++i) check(pthread_join(threads[i], NULL) == 0);
    check(x == (long)THREADS * ROUNDS);
    check(atomic_load(&handled) > 0);
    return 0;
}
