/* What lies on a stack belongs to a function: the thread's own, or one that another thread is in. */
// block: heap1 = frame of share < main
// block: heap2 = frame of run
// block: unnamed = frame of share < main
#include "program.h"

#include <semaphore.h>

struct shared {
    pthread_mutex_t lock;
    volatile long value;
};
sem_t shown, seen;
volatile long *volatile shown_local; /* handed over under the semaphores */

static void *run(void *given) {
    struct shared *shared = given;
    volatile long local[3];
    pthread_mutex_lock(&shared->lock);   //: T1 acq(unnamed)
    shared->value = 1;                   //: T1 w8(heap1) =1
    pthread_mutex_unlock(&shared->lock); //: T1 rel(unnamed)
    local[1] = 5;                        //: T1 w8(heap2) =5
    shown_local = &local[1];             //: T1 w8(shown_local)
    sem_post(&shown);                    //: T1 sem_post(shown)
    sem_wait(&seen);                     //: T1 sem_wait(seen)
    return NULL;
}

static __attribute__((noinline)) void share(void) {
    pthread_t thread;
    struct shared shared;
    shared.value = 0;                                        //: T0/1 w8(heap1) =0
    check(pthread_mutex_init(&shared.lock, NULL) == 0);
    check(pthread_create(&thread, NULL, run, &shared) == 0); //: T0/1 fork(T1)
    sem_wait(&shown);                                        //: T0/1 sem_wait(shown)
    use(*shown_local);                                       //: T0/1 r8(shown_local); T0/1 r8(heap2) =5
    sem_post(&seen);                                         //: T0/1 sem_post(seen)
    check(pthread_join(thread, NULL) == 0);                  //: T0/1 join(T1)
    use(shared.value);                                       //: T0/1 r8(heap1) =1
}

int main(void) {
    sem_init(&shown, 0, 0); //: T0 sem_init(shown) =0
    sem_init(&seen, 0, 0);  //: T0 sem_init(seen) =0
    share();
    return 0;
}
