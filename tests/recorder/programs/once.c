#include "program.h"

int x;
pthread_once_t o = PTHREAD_ONCE_INIT;

static void initialise(void) {
    x = 1; //: T1/1 w4(x) =1
}

static void *run(void *unused) {
    (void)unused;
    pthread_once(&o, initialise); //: T1 once_begin(o); T1/2 once_end(o)
    pthread_once(&o, initialise); //: T1/2 once_seen(o)
    return NULL;
}

int main(void) {
    pthread_t thread;
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    pthread_once(&o, initialise);                         //: T0 once_seen(o)
    use(x);                                               //: T0 r4(x) =1
    return 0;
}
