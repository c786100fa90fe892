/* The same memory is two condition variables, one after the other: "c" and "c#2"; and two rwlocks. */
#include "program.h"

int x;
pthread_cond_t c;
pthread_rwlock_t l;

static void *run(void *unused) {
    (void)unused;
    pthread_cond_signal(&c);     //: T1 notify(c)
    pthread_cond_destroy(&c);
    pthread_cond_init(&c, NULL);
    pthread_cond_broadcast(&c);  //: T1 notify_all(c#2)
    pthread_rwlock_wrlock(&l);   //: T1 acq(l)
    x = 1;                       //: T1 w4(x) =1
    pthread_rwlock_unlock(&l);   //: T1 rel(l)
    pthread_rwlock_destroy(&l);
    pthread_rwlock_init(&l, NULL);
    pthread_rwlock_rdlock(&l);   //: T1 acq_shared(l#2)
    use(x);                      //: T1 r4(x) =1
    pthread_rwlock_unlock(&l);   //: T1 rel_shared(l#2)
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_cond_init(&c, NULL);
    pthread_rwlock_init(&l, NULL);
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    use(x);                                               //: T0 r4(x) =1
    return 0;
}
