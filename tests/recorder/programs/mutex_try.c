#include "program.h"

#include <errno.h>

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused) {
    (void)unused;
    check(pthread_mutex_trylock(&busy) == EBUSY);
    check(pthread_mutex_trylock(&m) == 0); //: T1 acq(m) =1
    x = 1;                                 //: T1 w4(x) =1
    pthread_mutex_unlock(&m);              //: T1 rel(m)
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&busy);                            //: T0 acq(busy)
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    pthread_mutex_unlock(&busy);                          //: T0 rel(busy)
    use(x);                                               //: T0 r4(x) =1
    return 0;
}
