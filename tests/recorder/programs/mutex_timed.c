#include "program.h"

#include <errno.h>

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused) {
    const struct timespec past = PAST_DEADLINE, far = FAR_DEADLINE;
    (void)unused;
    check(pthread_mutex_timedlock(&busy, &past) == ETIMEDOUT);
    check(pthread_mutex_clocklock(&busy, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
    check(pthread_mutex_timedlock(&m, &far) == 0);                  //: T1 acq(m) =1
    x = 1;                                                          //: T1 w4(x) =1
    pthread_mutex_unlock(&m);                                       //: T1 rel(m)
    check(pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &far) == 0); //: T1 acq(m) =1
    x = 2;                                                          //: T1 w4(x) =2
    pthread_mutex_unlock(&m);                                       //: T1 rel(m)
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&busy);                            //: T0 acq(busy)
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    pthread_mutex_unlock(&busy);                          //: T0 rel(busy)
    use(x);                                               //: T0 r4(x) =2
    return 0;
}
