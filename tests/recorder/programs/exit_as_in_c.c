/* _Exit is C's name for it. Like _exit, it runs no handlers, and the trace is complete. */
#include "program.h"

int x;

static void *run(void *unused) {
    (void)unused;
    x = 1; //: T1 w4(x) =1
    return NULL;
}

int main(void) {
    pthread_t thread;
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    use(x);                                               //: T0 r4(x) =1
    _Exit(0);
}
