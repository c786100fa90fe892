#include "program.h"

#include <errno.h>

int x;
pthread_mutex_t m;

/* Ends with the mutex held: the kernel gives it up, which is the release. */
static void *run(void *unused) {
    (void)unused;
    pthread_mutex_lock(&m); //: T1 acq(m)
    x = 1;                  //: T1 w4(x) =1
    return NULL;            //: T1 rel(m) anywhere
}

int main(void) {
    pthread_t thread;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &attributes);
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    check(pthread_mutex_lock(&m) == EOWNERDEAD);          //: T0 acq(m)
    check(pthread_mutex_consistent(&m) == 0);
    use(x);                   //: T0 r4(x) =1
    pthread_mutex_unlock(&m); //: T0 rel(m)
    return 0;
}
