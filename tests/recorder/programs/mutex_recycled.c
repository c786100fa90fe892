/* The same memory is two mutexes, one after the other: "m" and "m#2". */
#include "program.h"

int x;
pthread_mutex_t m;

static void *run(void *unused) {
    (void)unused;
    pthread_mutex_lock(&m);    //: T1 acq(m)
    x = 1;                     //: T1 w4(x) =1
    pthread_mutex_unlock(&m);  //: T1 rel(m)
    pthread_mutex_destroy(&m);
    pthread_mutex_init(&m, NULL);
    pthread_mutex_lock(&m);    //: T1 acq(m#2)
    x = 2;                     //: T1 w4(x) =2
    pthread_mutex_unlock(&m);  //: T1 rel(m#2)
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_init(&m, NULL);
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    use(x);                                               //: T0 r4(x) =2
    return 0;
}
