#include "program.h"

#include <errno.h>

int x;
pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

static void *run(void *unused) {
    (void)unused;
    check(pthread_mutex_unlock(&m) == EPERM);
    check(pthread_mutex_lock(&m) == 0); //: T1 acq(m)
    check(pthread_mutex_lock(&m) == EDEADLK);
    x = 1;                                //: T1 w4(x) =1
    check(pthread_mutex_unlock(&m) == 0); //: T1 rel(m)
    check(pthread_mutex_unlock(&m) == EPERM);
    return NULL;
}

int main(void) {
    pthread_t thread;
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    use(x);                                               //: T0 r4(x) =1
    return 0;
}
