/* A condition that other processes may use as well: the C library wakes who waits. */
#include "program.h"

int ready;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c;

static void *run(void *unused) {
    (void)unused;
    pthread_mutex_lock(&m);   //: T1 acq(m)
    ready = 1;                //: T1 w4(ready) =1
    pthread_cond_signal(&c);  //: T1 notify(c)
    pthread_mutex_unlock(&m); //: T1 rel(m)
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_condattr_t shared;
    check(pthread_condattr_init(&shared) == 0);
    check(pthread_condattr_setpshared(&shared, PTHREAD_PROCESS_SHARED) == 0);
    check(pthread_cond_init(&c, &shared) == 0);
    pthread_mutex_lock(&m);                               //: T0 acq(m)
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    pthread_cond_wait(&c, &m);                            //: T0 wait_pre(c); T0 rel(m); T0 acq(m); T0 wait_post(c) matched
    use(ready);                                           //: T0 r4(ready) =1
    pthread_mutex_unlock(&m);                             //: T0 rel(m)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    return 0;
}
