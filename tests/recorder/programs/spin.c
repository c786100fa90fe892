#include "program.h"

#include <errno.h>

int x;
pthread_spinlock_t s;
pthread_spinlock_t busy;

static void *run(void *unused) {
    (void)unused;
    check(pthread_spin_trylock(&busy) == EBUSY);
    pthread_spin_lock(&s);                //: T1 acq(s)
    x = 1;                                //: T1 w4(x) =1
    pthread_spin_unlock(&s);              //: T1 rel(s)
    check(pthread_spin_trylock(&s) == 0); //: T1 acq(s)
    x = 2;                                //: T1 w4(x) =2
    pthread_spin_unlock(&s);              //: T1 rel(s)
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_init(&busy, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&busy);                             //: T0 acq(busy)
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    pthread_spin_unlock(&busy);                           //: T0 rel(busy)
    use(x);                                               //: T0 r4(x) =2
    pthread_spin_destroy(&s);
    pthread_spin_destroy(&busy);
    return 0;
}
