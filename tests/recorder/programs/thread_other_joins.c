#include "program.h"

#include <errno.h>

int x;
pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused) {
    (void)unused;
    pthread_mutex_lock(&gate);   //: T1,T2,T3 acq(gate)
    x = 1;                       //: T1,T2,T3 w4(x) =1
    pthread_mutex_unlock(&gate); //: T1,T2,T3 rel(gate)
    return NULL;
}

int main(void) {
    pthread_t thread;
    const struct timespec past = PAST_DEADLINE, far = FAR_DEADLINE;
    pthread_mutex_lock(&gate);                                    //: T0 acq(gate)
    check(pthread_create(&thread, NULL, run, NULL) == 0);         //: T0 fork(T1)
    check(pthread_tryjoin_np(thread, NULL) == EBUSY);
    check(pthread_timedjoin_np(thread, NULL, &past) == ETIMEDOUT);
    pthread_mutex_unlock(&gate);                                  //: T0 rel(gate)
    while (pthread_tryjoin_np(thread, NULL) == EBUSY) continue;   //: T0 join(T1)
    check(pthread_create(&thread, NULL, run, NULL) == 0);         //: T0 fork(T2)
    check(pthread_timedjoin_np(thread, NULL, &far) == 0);         //: T0 join(T2)
    check(pthread_create(&thread, NULL, run, NULL) == 0);         //: T0 fork(T3)
    check(pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &far) == 0); //: T0 join(T3)
    return 0;
}
