// Two threads race, but one of them sleeps for a second before it comes.
#include <pthread.h>
#include <time.h>

int shared;

static void* set_it(void* unused) {
    const struct timespec second = {1, 0};
    nanosleep(&second, NULL);
    shared = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, set_it, NULL) != 0) return 5;
    shared = 2;
    return pthread_join(thread, NULL);
}
