/* Time-outs are waits that nobody ended; then waits with a deadline that somebody does end. */
#include "program.h"

#include <errno.h>

int ready;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *run(void *unused) {
    (void)unused;
    pthread_mutex_lock(&m);   //: T1,T2 acq(m)
    ready = 1;                //: T1,T2 w4(ready) =1
    pthread_cond_signal(&c);  //: T1,T2 notify(c)
    pthread_mutex_unlock(&m); //: T1,T2 rel(m)
    return NULL;
}

int main(void) {
    pthread_t first, second;
    const struct timespec past = PAST_DEADLINE, far = FAR_DEADLINE;
    pthread_mutex_lock(&m);                               //: T0 acq(m)
    check(pthread_cond_timedwait(&c, &m, &past) == ETIMEDOUT); //: T0 wait_pre(c); T0 rel(m); T0 acq(m); T0 wait_post(c) spurious
    check(pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &past) == ETIMEDOUT); //: T0 wait_pre(c); T0 rel(m); T0 acq(m); T0 wait_post(c) spurious
    check(pthread_create(&first, NULL, run, NULL) == 0);  //: T0 fork(T1)
    check(pthread_cond_timedwait(&c, &m, &far) == 0);     //: T0 wait_pre(c); T0 rel(m); T0 acq(m); T0 wait_post(c) matched
    check(pthread_create(&second, NULL, run, NULL) == 0); //: T0 fork(T2)
    check(pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &far) == 0); //: T0 wait_pre(c); T0 rel(m); T0 acq(m); T0 wait_post(c) matched
    use(ready);                                           //: T0 r4(ready) =1
    pthread_mutex_unlock(&m);                             //: T0 rel(m)
    check(pthread_join(first, NULL) == 0);                //: T0 join(T1)
    check(pthread_join(second, NULL) == 0);               //: T0 join(T2)
    return 0;
}
