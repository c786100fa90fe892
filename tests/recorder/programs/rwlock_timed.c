#include "program.h"

#include <errno.h>

int x;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
pthread_rwlock_t busy = PTHREAD_RWLOCK_INITIALIZER;

static void *run(void *unused) {
    const struct timespec past = PAST_DEADLINE, far = FAR_DEADLINE;
    (void)unused;
    check(pthread_rwlock_timedrdlock(&busy, &past) == ETIMEDOUT);
    check(pthread_rwlock_timedwrlock(&busy, &past) == ETIMEDOUT);
    check(pthread_rwlock_clockrdlock(&busy, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
    check(pthread_rwlock_clockwrlock(&busy, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
    check(pthread_rwlock_timedrdlock(&l, &far) == 0);                  //: T1 acq_shared(l)
    use(x);                                                            //: T1 r4(x) =0
    pthread_rwlock_unlock(&l);                                         //: T1 rel_shared(l)
    check(pthread_rwlock_timedwrlock(&l, &far) == 0);                  //: T1 acq(l)
    x = 1;                                                             //: T1 w4(x) =1
    pthread_rwlock_unlock(&l);                                         //: T1 rel(l)
    check(pthread_rwlock_clockrdlock(&l, CLOCK_MONOTONIC, &far) == 0); //: T1 acq_shared(l)
    pthread_rwlock_unlock(&l);                                         //: T1 rel_shared(l)
    check(pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &far) == 0); //: T1 acq(l)
    pthread_rwlock_unlock(&l);                                         //: T1 rel(l)
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_rwlock_wrlock(&busy);                         //: T0 acq(busy)
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    pthread_rwlock_unlock(&busy);                         //: T0 rel(busy)
    use(x);                                               //: T0 r4(x) =1
    return 0;
}
