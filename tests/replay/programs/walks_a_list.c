// Threads look for an entry of a list and count that, with the lock shared: a race. What they come by on the way depends
// on code without instrumentation, of which nothing is recorded: when less of it has run, the way is shorter.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { ENTRIES = 8 };

struct entry {
    int key;
    int stamp;
    int hits;
    struct entry* next;
};

static struct entry entries[ENTRIES];
static struct entry* first = &entries[0];
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

__attribute__((noinline, no_sanitize_thread)) static void push(struct entry* entry) {
    entry->next = first;
    first = entry;
}

static void count(int key) {
    pthread_rwlock_rdlock(&lock);
    struct entry* one = first;
    while (one->stamp < 0 || one->key != key) one = one->next;
    ++one->hits;
    pthread_rwlock_unlock(&lock);
}

static void* count_early(void* unused) {
    (void)unused;
    count(0);
    return NULL;
}

static void* fill(void* unused) {
    (void)unused;
    entries[ENTRIES - 1].stamp = 1; // a race, too, which makes an order between the threads
    for (int i = 1; i < ENTRIES; ++i) {
        pthread_rwlock_wrlock(&lock);
        push(&entries[i]);
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}

static void* count_late(void* unused) {
    (void)unused;
    usleep(20000);
    count(0);
    return NULL;
}

int main(void) {
    void* (*const parts[])(void*) = {count_early, fill, count_late};
    enum { THREADS = sizeof parts / sizeof *parts };
    pthread_t threads[THREADS];
    for (int i = 0; i < ENTRIES; ++i) entries[i].key = i;
    for (int i = 0; i < THREADS; ++i)
        if (pthread_create(&threads[i], NULL, parts[i], NULL) != 0) abort();
    for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
}
