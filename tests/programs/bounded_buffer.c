// Bounded buffer with a lock and two condition variables, as in the textbooks.
//
// threads: producer, consumer
//
// not a bug: race on 'buffer.slots[*]'
//   write `buffer.slots` in put [put], holding 'buffer.mutex'
//   read `buffer.slots` in take [take], holding 'buffer.mutex'
//   because both hold buffer.mutex; while one waits, it does not, but it touches nothing then
#include "sample.h"

enum { SLOTS = 2, ITEMS = 6 };

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t not_full, not_empty;
    int slots[SLOTS];
    unsigned first, used;
} buffer = {.mutex = PTHREAD_MUTEX_INITIALIZER,
            .not_full = PTHREAD_COND_INITIALIZER,
            .not_empty = PTHREAD_COND_INITIALIZER};

static NOINLINE void put(int item) {
    pthread_mutex_lock(&buffer.mutex);
    while (buffer.used == SLOTS) pthread_cond_wait(&buffer.not_full, &buffer.mutex);
    buffer.slots[(buffer.first + buffer.used) % SLOTS] = item; // [put]
    ++buffer.used;
    pthread_cond_signal(&buffer.not_empty);
    pthread_mutex_unlock(&buffer.mutex);
}

static NOINLINE int take(void) {
    pthread_mutex_lock(&buffer.mutex);
    while (buffer.used == 0) pthread_cond_wait(&buffer.not_empty, &buffer.mutex);
    const int item = buffer.slots[buffer.first]; // [take]
    buffer.first = (buffer.first + 1) % SLOTS;
    --buffer.used;
    pthread_cond_signal(&buffer.not_full);
    pthread_mutex_unlock(&buffer.mutex);
    return item;
}

static void* produce(void* unused) {
    (void)unused;
    name_thread("producer");
    for (int item = 1; item <= ITEMS; ++item) put(item);
    return NULL;
}

static void* consume(void* sum) {
    name_thread("consumer");
    for (int i = 0; i < ITEMS; ++i) *(int*)sum += take();
    return NULL;
}

int main(void) {
    pthread_t producer, consumer;
    int sum = 0;
    check(pthread_create(&producer, NULL, produce, NULL) == 0);
    check(pthread_create(&consumer, NULL, consume, &sum) == 0);
    check(pthread_join(producer, NULL) == 0);
    check(pthread_join(consumer, NULL) == 0);
    return sum == ITEMS * (ITEMS + 1) / 2 ? CLEAN_RUN : WRONG_RESULT;
}
