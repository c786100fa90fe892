#include "program.h"

int x;
pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void *run(void *unused) {
    (void)unused;
    pthread_mutex_lock(&m); //: T1 acq(m)
    pthread_mutex_lock(&m);
    check(pthread_mutex_trylock(&m) == 0);
    x = 1; //: T1 w4(x) =1
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    x = 2;                    //: T1 w4(x) =2
    pthread_mutex_unlock(&m); //: T1 rel(m)
    return NULL;
}

int main(void) {
    pthread_t thread;
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    use(x);                                               //: T0 r4(x) =2
    return 0;
}
