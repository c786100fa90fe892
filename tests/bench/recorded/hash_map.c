/* A hash map with a lock for each of 64 stripes, used by four threads: mostly locking. */
#include "workload.h"

enum { THREADS = 4, STRIPES = 64, KEYS = 4096, BUCKETS = 1024 };

struct entry {
    uint64_t key, value;
    struct entry *next;
};
struct stripe {
    pthread_mutex_t lock;
    struct entry *buckets[BUCKETS / STRIPES];
};

static struct stripe stripes[STRIPES];
static long rounds;

static struct entry *find(struct stripe *stripe, uint64_t key) {
    struct entry *entry = stripe->buckets[key / STRIPES % (BUCKETS / STRIPES)];
    while (entry != NULL && entry->key != key) entry = entry->next;
    return entry;
}

static void add_one(uint64_t key) {
    struct stripe *stripe = &stripes[key % STRIPES];
    pthread_mutex_lock(&stripe->lock);
    struct entry *entry = find(stripe, key);
    if (entry == NULL) {
        struct entry **bucket = &stripe->buckets[key / STRIPES % (BUCKETS / STRIPES)];
        entry = malloc(sizeof *entry);
        *entry = (struct entry){.key = key, .value = 0, .next = *bucket};
        *bucket = entry;
    }
    entry->value++;
    pthread_mutex_unlock(&stripe->lock);
}

static void *run(void *given) {
    uint64_t state = (uint64_t)(uintptr_t)given;
    for (long i = 0; i < rounds; ++i) add_one(next_random(&state) % KEYS);
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[THREADS];
    uint64_t sum = 0;
    rounds = amount_of_work(count, words);
    for (int i = 0; i < STRIPES; ++i) pthread_mutex_init(&stripes[i].lock, NULL);
    for (uintptr_t i = 0; i < THREADS; ++i) check(pthread_create(&threads[i], NULL, run, (void *)(i + 1)) == 0);
    for (int i = 0; i < THREADS; ++i) check(pthread_join(threads[i], NULL) == 0);
    for (uint64_t key = 0; key < KEYS; ++key) {
        struct entry *entry = find(&stripes[key % STRIPES], key);
        if (entry != NULL) sum += entry->value;
    }
    check(sum == (uint64_t)THREADS * (uint64_t)rounds);
    return 0;
}
