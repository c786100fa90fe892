// A pool of three threads that wait for work at one condition and are woken one at a time, by a notify without the
// mutex: which of them wakes up is nobody's choice. What they have done is counted without the mutex.
#include <pthread.h>

enum { kWorkers = 3, kJobs = 6 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int waiting, closed;
int finished;

static void* work(void* unused) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        while (waiting == 0 && !closed) pthread_cond_wait(&more, &mutex);
        if (waiting == 0) break;
        --waiting;
        pthread_mutex_unlock(&mutex);
        ++finished;
    }
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t workers[kWorkers];
    for (int i = 0; i < kWorkers; ++i) pthread_create(&workers[i], NULL, work, NULL);
    for (int i = 0; i < kJobs; ++i) {
        pthread_mutex_lock(&mutex);
        ++waiting;
        pthread_mutex_unlock(&mutex);
        pthread_cond_signal(&more);
    }
    pthread_mutex_lock(&mutex);
    closed = 1;
    pthread_mutex_unlock(&mutex);
    pthread_cond_broadcast(&more);
    for (int i = 0; i < kWorkers; ++i) pthread_join(workers[i], NULL);
    return 0;
}
