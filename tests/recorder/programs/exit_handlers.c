/* What runs before main and after it is recorded as well. */
#include "program.h"

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused) {
    (void)unused;
    x = 1; //: T1 w4(x) =1
    return NULL;
}

__attribute__((constructor)) static void before(void) {
    pthread_mutex_lock(&m);   //: T0 acq(m)
    pthread_mutex_unlock(&m); //: T0 rel(m)
}

static void after(void) {
    pthread_mutex_lock(&m);   //: T0/2 acq(m)
    use(x);                   //: T0/2 r4(x) =1
    pthread_mutex_unlock(&m); //: T0/2 rel(m)
}

int main(void) {
    pthread_t thread;
    atexit(after);
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0/1 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0/1 join(T1)
    return 0;
}
