#include "program.h"

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused) {
    (void)unused;
    pthread_mutex_lock(&m);   //: T1 acq(m)
    x = 2;                    //: T1 w4(x) =2
    pthread_mutex_unlock(&m); //: T1 rel(m)
    return NULL;
}

int main(void) {
    pthread_t thread;
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    pthread_mutex_lock(&m);                               //: T0 acq(m)
    x = 1;                                                //: T0 w4(x) =1
    pthread_mutex_unlock(&m);                             //: T0 rel(m)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    return 0;
}
