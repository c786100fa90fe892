/* Two threads wait, and the buffer of each is written by another thread meanwhile. Their handlers run in turns. */
#include "../programs/program.h"

#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>

enum { ROUNDS = 4, STEPS = 60000 };

atomic_long handled;
long x;
sem_t done;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static volatile int runs;

/* Of this the recorder sees nothing: it would bring the threads into an order. */
static __attribute__((noinline, no_sanitize("thread"))) void ran(void) {
    runs = runs + 1;
}
static __attribute__((noinline, no_sanitize("thread"))) void wait_for_run(int number) {
    while (runs != number) {
    }
}

static void handler(int number) {
    (void)number;
    atomic_fetch_add(&handled, 1);
    ran();
}

static void *wait(void *unused) {
    while (sem_wait(&done) != 0) {
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    int kills = 0;
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    check(sigaction(SIGUSR1, &action, NULL) == 0);
    check(sem_init(&done, 0, 0) == 0);
    for (int i = 0; i < 2; ++i) check(pthread_create(&threads[i], NULL, wait, NULL) == 0);
    for (int round = 0; round < ROUNDS; ++round) {
        for (int i = 0; i < STEPS; ++i) {
            pthread_mutex_lock(&m);
            x++;
            pthread_mutex_unlock(&m);
        }
        for (int i = 0; i < 3; ++i) {
            check(pthread_kill(threads[i % 2], SIGUSR1) == 0);
            wait_for_run(++kills);
        }
    }
    check(sem_post(&done) == 0);
    check(sem_post(&done) == 0);
    for (int i = 0; i < 2; ++i) check(pthread_join(threads[i], NULL) == 0);
    return 0;
}
