/* main holds m from before the fork until it waits, so the signal cannot come too early. */
#include "program.h"

int ready;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

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
    pthread_mutex_lock(&m);                               //: T0 acq(m)
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    use(ready);                                           //: T0 r4(ready) =0
    pthread_cond_wait(&c, &m);                            //: T0 wait_pre(c); T0 rel(m); T0 acq(m); T0 wait_post(c) matched
    use(ready);                                           //: T0 r4(ready) =1
    pthread_mutex_unlock(&m);                             //: T0 rel(m)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    return 0;
}
