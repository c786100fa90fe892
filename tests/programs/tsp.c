// Travelling salesman: two workers share the tours that are left to try, and the best length so far. It is
// written under a lock; the search looks at it without one, to give up early.
//
// threads: worker
//
// bug: race on 'best.length'
//   read `best.length` in search [prune], holding nothing
//   write `best.length` in record_tour [better], holding 'best.mutex'
//   because the search does not take best.mutex to look
// not a bug: race on 'best.length'
//   read `best.length` in record_tour [check], holding 'best.mutex'
//   write `best.length` in record_tour [better], holding 'best.mutex'
//   because both hold best.mutex
// not a bug: race on 'jobs.next'
//   write `jobs.next` in next_job [take], holding 'jobs.mutex'
//   write `jobs.next` in next_job [take], holding 'jobs.mutex'
//   because both hold jobs.mutex
#include "sample.h"

#include <limits.h>

enum { CITIES = 5, WORKERS = 2, EVERYWHERE = (1 << CITIES) - 1 };

static const int distances[CITIES][CITIES] = {
    {0, 3, 4, 2, 7}, {3, 0, 4, 6, 3}, {4, 4, 0, 5, 8}, {2, 6, 5, 0, 6}, {7, 3, 8, 6, 0}};

static struct {
    pthread_mutex_t mutex;
    int length;
} best = {PTHREAD_MUTEX_INITIALIZER, INT_MAX};

// The city that a tour visits first. Every worker begins with one of its own.
static struct {
    pthread_mutex_t mutex;
    int next;
} jobs = {PTHREAD_MUTEX_INITIALIZER, 1 + WORKERS};

static NOINLINE void record_tour(int length) {
    pthread_mutex_lock(&best.mutex);
    if (length < best.length) // [check]
        best.length = length; // [better]
    pthread_mutex_unlock(&best.mutex);
}

static NOINLINE void search(int city, int visited, int length) {
    if (length >= best.length) return; // [prune]
    if (visited == EVERYWHERE) {
        record_tour(length + distances[city][0]);
        return;
    }
    for (int next = 1; next < CITIES; ++next) {
        if ((visited & (1 << next)) == 0) search(next, visited | (1 << next), length + distances[city][next]);
    }
}

static NOINLINE int next_job(void) {
    pthread_mutex_lock(&jobs.mutex);
    const int job = jobs.next;
    if (job < CITIES) jobs.next = job + 1; // [take]
    pthread_mutex_unlock(&jobs.mutex);
    return job;
}

static void* worker(void* first) {
    name_thread("worker");
    for (int job = (int)(long)first; job < CITIES; job = next_job())
        search(job, 1 | (1 << job), distances[0][job]);
    return NULL;
}

int main(void) {
    pthread_t threads[WORKERS];
    for (long i = 0; i < WORKERS; ++i) check(pthread_create(&threads[i], NULL, worker, (void*)(1 + i)) == 0);
    for (long i = 0; i < WORKERS; ++i) check(pthread_join(threads[i], NULL) == 0);
    return best.length == 19 ? CLEAN_RUN : WRONG_RESULT;
}
