// Two threads race, and thirty others have nothing to do with them. One of the two comes only when all of the thirty are
// done, which it learns by a pipe: whoever holds them up waits for ever.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { kCrowd = 30, kRounds = 50 };

int shared;
static int done[2];
static struct {
    pthread_mutex_t mutex;
    long count;
} own[kCrowd];

static void* bustle(void* place) {
    const long me = (long)place;
    for (int i = 0; i < kRounds; ++i) {
        pthread_mutex_lock(&own[me].mutex);
        own[me].count += i;
        pthread_mutex_unlock(&own[me].mutex);
    }
    if (write(done[1], "", 1) != 1) abort();
    return NULL;
}
static void* set_it(void* unused) {
    char byte;
    for (int i = 0; i < kCrowd; ++i) {
        if (read(done[0], &byte, 1) != 1) abort();
    }
    shared = 1;
    return unused;
}

int main(void) {
    pthread_t crowd[kCrowd], setter;
    if (pipe(done) != 0) return 3;
    for (long i = 0; i < kCrowd; ++i) {
        pthread_mutex_init(&own[i].mutex, NULL);
        if (pthread_create(&crowd[i], NULL, bustle, (void*)i) != 0) return 4;
    }
    if (pthread_create(&setter, NULL, set_it, NULL) != 0) return 5;
    shared = 2;
    for (int i = 0; i < kCrowd; ++i) pthread_join(crowd[i], NULL);
    return pthread_join(setter, NULL);
}
