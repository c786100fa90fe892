/* When the block is first shared, the buffer that held its allocation was written long ago. */
// reduced
// block: heap1 = 24 bytes by make < main, freed by main
#include "program.h"

struct item {
    long value, rest[2];
};
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static __attribute__((noinline)) struct item *make(void) {
    struct item *item = malloc(sizeof *item);
    check(item != NULL);
    return item;
}

static void *run(void *given) {
    struct item *item = given;
    pthread_mutex_lock(&lock);   //: T1 acq(lock)
    item->value = 1;             //: T1 w8(heap1)
    pthread_mutex_unlock(&lock); //: T1 rel(lock)
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct item *item = make();
    for (int i = 0; i < 100000; ++i) {
        void *other = malloc(8);
        use(other);
        free(other);
    }
    check(pthread_create(&thread, NULL, run, item) == 0); //: T0 fork(T1)
    pthread_mutex_lock(&lock);                            //: T0 acq(lock)
    item->value = 2;                                      //: T0 w8(heap1)
    pthread_mutex_unlock(&lock);                          //: T0 rel(lock)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    free(item);
    return 0;
}
