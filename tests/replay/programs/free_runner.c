// Two threads race. A third, which has nothing to do with them, counts to a number that it reaches only if it
// is not held up; the program ends with status 7 if it did, however long the other two are.
#include <pthread.h>

int shared;
static volatile long counted;

static void* set_it(void* unused) {
    shared = 1;
    return unused;
}
static void* count(void* unused) {
    for (long i = 0; i < 100000; ++i) counted = i;
    return unused;
}

int main(void) {
    pthread_t setter, counter;
    if (pthread_create(&counter, NULL, count, NULL) != 0 || pthread_create(&setter, NULL, set_it, NULL) != 0)
        return 5;
    shared = 2;
    pthread_join(setter, NULL);
    pthread_join(counter, NULL);
    return counted == 99999 ? 7 : 6;
}
