// A race, in a program that takes no notice of requests to end, and never does if the environment says so.
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

int shared;

static void* set_it(void* unused) {
    shared = 1;
    return unused;
}

int main(void) {
    signal(SIGTERM, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    pthread_t thread;
    if (pthread_create(&thread, NULL, set_it, NULL) != 0) return 5;
    shared = 2;
    if (pthread_join(thread, NULL) != 0) return 5;
    while (getenv("HANG") != NULL) pause();
    return 0;
}
