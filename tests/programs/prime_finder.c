// Prime finder: workers take the next number to try under a lock. Whoever finds a prime counts it without
// one.
//
// threads: finder
//
// bug: race on 'found'
//   update `found` in count_prime [count], holding nothing
//   update `found` in count_prime [count], holding nothing
//   because counting takes no lock
// not a bug: race on 'numbers.next'
//   write `numbers.next` in next_number [take], holding 'numbers.mutex'
//   write `numbers.next` in next_number [take], holding 'numbers.mutex'
//   because both hold numbers.mutex
#include "sample.h"

enum { FINDERS = 2, LAST = 30, PRIMES = 10 };

static struct {
    pthread_mutex_t mutex;
    int next;
} numbers = {PTHREAD_MUTEX_INITIALIZER, 4}; // the first finder begins with 2, the second with 3

static int found;

static NOINLINE int next_number(void) {
    pthread_mutex_lock(&numbers.mutex);
    const int number = numbers.next;
    numbers.next = number + 1; // [take]
    pthread_mutex_unlock(&numbers.mutex);
    return number;
}

static NOINLINE void count_prime(void) {
    found += 1; // [count]
}

static int is_prime(int number) {
    for (int i = 2; i * i <= number; ++i) {
        if (number % i == 0) return 0;
    }
    return 1;
}

static void* find(void* first) {
    name_thread("finder");
    if (first == (void*)3) work();
    for (int number = (int)(long)first; number <= LAST; number = next_number()) {
        if (is_prime(number)) count_prime();
    }
    return NULL;
}

int main(void) {
    pthread_t threads[FINDERS];
    for (long i = 0; i < FINDERS; ++i) check(pthread_create(&threads[i], NULL, find, (void*)(2 + i)) == 0);
    for (int i = 0; i < FINDERS; ++i) check(pthread_join(threads[i], NULL) == 0);
    return found == PRIMES ? CLEAN_RUN : WRONG_RESULT;
}
