/* Three threads read what a fourth seldom writes, without a lock: plain, and with atomic operations. What is read without a
 * word to the others must still agree with what the trace says was written, in the order in which it stands there. */
#include "../programs/program.h"

#include <sched.h>

enum { READERS = 3, ROUNDS = 3000, WORDS = 4 };

long words[WORDS];
long done;
long begun; /* readers that have seen the words */
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused) {
    (void)unused;
    for (int word = 0; word < WORDS; ++word) use(*(volatile long *)&words[word]);
    __atomic_fetch_add(&begun, 1, __ATOMIC_RELEASE);
    while (__atomic_load_n(&done, __ATOMIC_ACQUIRE) == 0) {
        for (int i = 0; i < 16; ++i) {
            pthread_mutex_lock(&m); /* a new epoch: else the second read would tell nothing new */
            pthread_mutex_unlock(&m);
            for (int word = 0; word < WORDS; ++word) use(*(volatile long *)&words[word]);
        }
    }
    return NULL;
}

int main(void) {
    pthread_t threads[READERS];
    for (int i = 0; i < READERS; ++i) check(pthread_create(&threads[i], NULL, run, NULL) == 0);
    while (__atomic_load_n(&begun, __ATOMIC_ACQUIRE) < READERS) sched_yield();
    for (long round = 1; round <= ROUNDS; ++round) {
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
        if (round % 100 == 0) *(volatile long *)&words[0] = round;
        if (round % 200 == 0) __atomic_store_n(&words[1], round, __ATOMIC_RELEASE);
        if (round % 300 == 0) __atomic_fetch_add(&words[2], round, __ATOMIC_RELAXED);
    }
    __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
    for (int i = 0; i < READERS; ++i) check(pthread_join(threads[i], NULL) == 0);
    return 0;
}
