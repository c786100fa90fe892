/* main ends with pthread_exit; the other threads end the process. */
#include "../programs/program.h"

int x;

static void *last(void *given) {
    check(pthread_join((pthread_t)given, NULL) == 0);
    x++;
    exit(0);
}

static void *run(void *unused) {
    (void)unused;
    x++;
    return NULL;
}

int main(void) {
    pthread_t thread, other;
    check(pthread_create(&thread, NULL, run, NULL) == 0);
    check(pthread_create(&other, NULL, last, (void *)thread) == 0);
    pthread_exit(NULL);
}
