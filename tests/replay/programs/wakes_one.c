// A pool of three threads that wait for work at one condition and are woken one at a time, by a notify without the
// mutex: which of them wakes up is nobody's choice. Each does two jobs, so that every run has all of them at work,
// and what they have done is counted without the mutex.
#include <pthread.h>

enum { kWorkers = 3, kShift = 2 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER, arrived = PTHREAD_COND_INITIALIZER;
static int waiting, at_work;
int finished;

static void* work(void* unused) {
    pthread_mutex_lock(&mutex);
    ++at_work;
    pthread_cond_signal(&arrived);
    for (int job = 0; job < kShift; ++job) {
        while (waiting == 0) pthread_cond_wait(&more, &mutex);
        --waiting;
        pthread_mutex_unlock(&mutex);
        ++finished;
        pthread_mutex_lock(&mutex);
    }
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t workers[kWorkers];
    for (int i = 0; i < kWorkers; ++i) pthread_create(&workers[i], NULL, work, NULL);
    pthread_mutex_lock(&mutex);
    while (at_work < kWorkers) pthread_cond_wait(&arrived, &mutex);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < kWorkers * kShift; ++i) {
        pthread_mutex_lock(&mutex);
        ++waiting;
        pthread_mutex_unlock(&mutex);
        pthread_cond_signal(&more);
    }
    for (int i = 0; i < kWorkers; ++i) pthread_join(workers[i], NULL);
    return 0;
}
