// Benchmark of locking: every worker counts under the lock of a function, then under that of an object. main
// adds up what each counted for itself once all have ended.
//
// threads: worker
//
// not a bug: race on 'calls'
//   update `calls` in count_call [call], holding 'function_lock'
//   update `calls` in count_call [call], holding 'function_lock'
//   because both hold function_lock
// not a bug: race on 'object.count'
//   update `object.count` in count_object [count], holding 'object.mutex'
//   update `object.count` in count_object [count], holding 'object.mutex'
//   because both hold object.mutex
// not a bug: race on 'rounds[*]'
//   write `rounds[number]` in worker [round], holding nothing
//   read `rounds[i]` in main [sum], holding nothing
//   because main joins all workers first
#include "sample.h"

enum { WORKERS = 8, ROUNDS = 5 };

static pthread_mutex_t function_lock = PTHREAD_MUTEX_INITIALIZER;
static long calls;
static struct {
    pthread_mutex_t mutex;
    long count;
} object = {PTHREAD_MUTEX_INITIALIZER, 0};
static long rounds[WORKERS];

static NOINLINE void count_call(void) {
    pthread_mutex_lock(&function_lock);
    calls += 1; // [call]
    pthread_mutex_unlock(&function_lock);
}

static NOINLINE void count_object(void) {
    pthread_mutex_lock(&object.mutex);
    object.count += 1; // [count]
    pthread_mutex_unlock(&object.mutex);
}

static void* worker(void* own) {
    const long number = (long)own;
    name_thread("worker");
    for (int i = 0; i < ROUNDS; ++i) {
        count_call();
        count_object();
    }
    rounds[number] = ROUNDS; // [round]
    return NULL;
}

int main(void) {
    pthread_t threads[WORKERS];
    long sum = 0;
    for (long i = 0; i < WORKERS; ++i) check(pthread_create(&threads[i], NULL, worker, (void*)i) == 0);
    for (int i = 0; i < WORKERS; ++i) check(pthread_join(threads[i], NULL) == 0);
    for (int i = 0; i < WORKERS; ++i) sum += rounds[i]; // [sum]
    return calls == sum && object.count == sum ? CLEAN_RUN : WRONG_RESULT;
}
