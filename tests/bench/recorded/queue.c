/* Two producers and two consumers share a queue of 16 places, with two condition variables. */
#include "workload.h"

enum { PAIRS = 2, PLACES = 16 };

static uint64_t places[PLACES];
static unsigned first, used;
static long items;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;

/* Something to do with an item outside of the lock. */
static uint64_t work_on(uint64_t item) {
    uint64_t local[16] = {item};
    for (int i = 1; i < 16; ++i) local[i] = local[i - 1] * 6364136223846793005u + 1442695040888963407u;
    return local[15] != 0 ? item : 0;
}

static void *produce(void *unused) {
    (void)unused;
    for (long i = 1; i <= items; ++i) {
        const uint64_t item = work_on((uint64_t)i);
        pthread_mutex_lock(&lock);
        while (used == PLACES) pthread_cond_wait(&not_full, &lock);
        places[(first + used++) % PLACES] = item;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *consume(void *sum) {
    for (long i = 1; i <= items; ++i) {
        pthread_mutex_lock(&lock);
        while (used == 0) pthread_cond_wait(&not_empty, &lock);
        const uint64_t item = places[first];
        first = (first + 1) % PLACES;
        --used;
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&lock);
        *(uint64_t *)sum += work_on(item);
    }
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[2 * PAIRS];
    uint64_t sums[PAIRS] = {0}, sum = 0;
    items = amount_of_work(count, words);
    for (int i = 0; i < PAIRS; ++i) {
        check(pthread_create(&threads[2 * i], NULL, produce, NULL) == 0);
        check(pthread_create(&threads[2 * i + 1], NULL, consume, &sums[i]) == 0);
    }
    for (int i = 0; i < 2 * PAIRS; ++i) check(pthread_join(threads[i], NULL) == 0);
    for (int i = 0; i < PAIRS; ++i) sum += sums[i];
    check(sum == PAIRS * (uint64_t)items * ((uint64_t)items + 1) / 2);
    return 0;
}
