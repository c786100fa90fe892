/* Functions that are not instrumented are not seen; those they call are. */
#include "program.h"

int x, y;

__attribute__((noinline)) static void seen(void) {
    x = 1; //: T1 w4(x) =1
}

__attribute__((noinline, no_sanitize("thread"))) static void unseen(void) {
    *(volatile int *)&y = 1;
    seen();
}

static void *run(void *unused) {
    (void)unused;
    unseen();
    return NULL;
}

int main(void) {
    pthread_t thread;
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    use(x);                                               //: T0 r4(x) =1
    return 0;
}
