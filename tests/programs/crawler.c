// Web crawler: who cancels a task tells the fetcher that works on it, if there is one, under the task's lock.
// The fetcher says without the lock that it is done, and may do so after the check and before the use.
//
// threads: fetcher
//
// bug: race on 'task.fetcher'
//   read `task.fetcher` in cancel [check], holding 'task.mutex'
//   write `task.fetcher` in finish [finish], holding nothing
//   because finish does not take task.mutex
// bug: race on 'task.fetcher'
//   read `task.fetcher` in cancel [use], holding 'task.mutex'
//   write `task.fetcher` in finish [finish], holding nothing
//   because finish does not take task.mutex
// bug: atomicity RWR on 'task.fetcher'
//   read `task.fetcher` in cancel [check], holding 'task.mutex'
//   write `task.fetcher` in finish [finish], holding nothing
//   read `task.fetcher` in cancel [use], holding 'task.mutex'
//   because check and use are meant to be one, and finish does not take task.mutex
#include "sample.h"

#include <unistd.h>

struct fetcher {
    long number;
};

static struct fetcher only_fetcher = {1};

static struct {
    pthread_mutex_t mutex;
    struct fetcher* fetcher;
} task = {PTHREAD_MUTEX_INITIALIZER, &only_fetcher};

// The number of the fetcher that is told to stop.
static NOINLINE long cancel(void) {
    long told = 0;
    pthread_mutex_lock(&task.mutex);
    if (task.fetcher != NULL) {      // [check]
        check(getppid() >= 0);       // what is logged here takes a while
        told = task.fetcher->number; // [use]
    }
    pthread_mutex_unlock(&task.mutex);
    return told;
}

static NOINLINE void finish(void) {
    task.fetcher = NULL; // [finish]
}

static void* fetch(void* unused) {
    (void)unused;
    name_thread("fetcher");
    work();
    finish();
    return NULL;
}

int main(void) {
    pthread_t thread;
    check(pthread_create(&thread, NULL, fetch, NULL) == 0);
    const long told = cancel();
    check(pthread_join(thread, NULL) == 0);
    return told == 1 ? CLEAN_RUN : RARE_ORDER;
}
