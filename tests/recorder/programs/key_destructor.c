/* The destructor of a pthread key, likewise. */
#include "program.h"

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void last(void *unused) {
    (void)unused;
    pthread_mutex_lock(&m);   //: T1 acq(m)
    x = 1;                    //: T1 w4(x) =1
    pthread_mutex_unlock(&m); //: T1 rel(m)
}

static void *run(void *given) {
    pthread_setspecific((pthread_key_t)(uintptr_t)given, &x);
    return NULL;
}

int main(void) {
    pthread_key_t key;
    pthread_t thread;
    check(pthread_key_create(&key, last) == 0);
    check(pthread_create(&thread, NULL, run, (void *)(uintptr_t)key) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);              //: T0 join(T1)
    use(x);                                              //: T0 r4(x) =1
    return 0;
}
