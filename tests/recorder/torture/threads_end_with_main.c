/* Threads end while main does: all have done their work, and main knows it, but some have not left yet. */
#include "../programs/program.h"

#include <semaphore.h>
#include <stdio.h>

enum { kThreads = 40 };
static long results[kThreads];
static sem_t done;

static void *work(void *result) {
    *(long *)result = 1;
    sem_post(&done);
    return NULL;
}

int main(void) {
    pthread_attr_t detached;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    sem_init(&done, 0, 0);
    for (int i = 0; i < kThreads; ++i) {
        pthread_t thread;
        check(pthread_create(&thread, &detached, work, &results[i]) == 0);
    }
    long sum = 0;
    for (int i = 0; i < kThreads; ++i) sem_wait(&done);
    for (int i = 0; i < kThreads; ++i) sum += results[i];
    printf("%ld\n", sum);
    return 0;
}
