/* Two threads, one after the other, share what lies on their stacks with main. The stacks may be the same memory. */
#include "program.h"

#include <semaphore.h>

sem_t shown, seen;
long *volatile where; /* handed over under the semaphores */

static void *run(void *unused) {
    volatile long local;
    (void)unused;
    local = 5;                     //: T1 w8(heap1) =5; T2 w8(heap2) =5
    where = (long *)&local;        //: T1,T2 w8(where)
    sem_post(&shown);              //: T1,T2 sem_post(shown)
    sem_wait(&seen);               //: T1,T2 sem_wait(seen)
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_init(&shown, 0, 0);                                //: T0 sem_init(shown) =0
    sem_init(&seen, 0, 0);                                 //: T0 sem_init(seen) =0
    check(pthread_create(&thread, NULL, run, NULL) == 0);  //: T0 fork(T1)
    sem_wait(&shown);                                      //: T0 sem_wait(shown)
    use(*where);                                           //: T0 r8(where); T0 r8(heap1) =5
    sem_post(&seen);                                       //: T0 sem_post(seen)
    check(pthread_join(thread, NULL) == 0);                //: T0 join(T1)
    check(pthread_create(&thread, NULL, run, NULL) == 0);  //: T0 fork(T2)
    sem_wait(&shown);                                      //: T0 sem_wait(shown)
    use(*where);                                           //: T0 r8(where); T0 r8(heap2) =5
    sem_post(&seen);                                       //: T0 sem_post(seen)
    check(pthread_join(thread, NULL) == 0);                //: T0 join(T2)
    return 0;
}
