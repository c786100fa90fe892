// What only locks and wait/notify together rule out: figure 1 of "Universal Causality Graphs" (Kahlon and
// Wang, CAV 2010). The clerk waits for the day to open with the archive locked, then writes to the journal,
// which is locked, and no longer holds the archive. main opens the day, looks at archive and journal, and
// reads the entry without a lock.
//
// threads: clerk
//
// not a bug: race on 'entry'
//   write `entry` in write_entry [write], holding 'journal'
//   read `entry` in read_entry [read], holding nothing
//   because for both to stand there main would have to be through with the journal, and so with the archive,
//   before the clerk locked the archive; but the clerk waited with the archive locked until main opened the
//   day. Locks alone allow it, and so does waiting alone
#include "sample.h"

static pthread_mutex_t archive = PTHREAD_MUTEX_INITIALIZER; // l3
static pthread_mutex_t journal = PTHREAD_MUTEX_INITIALIZER; // l2
static long entry;

static struct {
    pthread_mutex_t mutex; // l1
    pthread_cond_t waiting, opened;
    int clerk_waits, is_open;
} day = {.mutex = PTHREAD_MUTEX_INITIALIZER,
         .waiting = PTHREAD_COND_INITIALIZER,
         .opened = PTHREAD_COND_INITIALIZER};

static NOINLINE void write_entry(void) {
    entry = 1; // [write]
}

static NOINLINE long read_entry(void) {
    return entry; // [read]
}

static void* clerk(void* unused) {
    (void)unused;
    name_thread("clerk");
    pthread_mutex_lock(&archive);
    pthread_mutex_lock(&day.mutex);
    day.clerk_waits = 1;
    pthread_cond_signal(&day.waiting);
    while (!day.is_open) pthread_cond_wait(&day.opened, &day.mutex);
    pthread_mutex_unlock(&day.mutex);
    pthread_mutex_lock(&journal);
    pthread_mutex_unlock(&archive);
    write_entry();
    pthread_mutex_unlock(&journal);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&day.mutex);
    check(pthread_create(&thread, NULL, clerk, NULL) == 0);
    while (!day.clerk_waits) pthread_cond_wait(&day.waiting, &day.mutex);
    day.is_open = 1;
    pthread_cond_signal(&day.opened);
    pthread_mutex_unlock(&day.mutex);
    pthread_mutex_lock(&archive);
    pthread_mutex_lock(&journal);
    pthread_mutex_unlock(&journal);
    pthread_mutex_unlock(&archive);
    const long seen = read_entry();
    check(pthread_join(thread, NULL) == 0);
    return seen == 1 ? CLEAN_RUN : WRONG_RESULT;
}
