/* A timer's signals come between the callbacks of writes and the writes themselves; the handler has callbacks
 * as well. */
#include "../programs/program.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>

enum { ROUNDS = 150000 };

atomic_long handled;
volatile long x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void handler(int number) {
    (void)number;
    atomic_fetch_add(&handled, 1);
}

static void *look(void *unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    use(x);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t thread;
    timer_t timer;
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    struct sigevent event;
    const struct itimerspec often = {{0, 15000}, {0, 15000}};
    check(sigaction(SIGUSR1, &action, NULL) == 0);
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGUSR1;
    check(pthread_create(&thread, NULL, look, NULL) == 0);
    check(pthread_join(thread, NULL) == 0);
    check(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    check(timer_settime(timer, 0, &often, NULL) == 0);
    for (long i = 1; i <= ROUNDS; ++i) {
        pthread_mutex_lock(&m);
        x = i;
        pthread_mutex_unlock(&m);
    }
    check(timer_delete(timer) == 0);
    return 0;
}
