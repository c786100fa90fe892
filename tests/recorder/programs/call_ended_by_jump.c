/* GCC ends a function at -O2 with a jump to the callback that tells of its end: its caller goes on. */
// stack: T1 w4(y) = outer < run
// stack: T1 w4(z) = run
#include "program.h"

int x, y, z;

__attribute__((noinline)) static void inner(void) {
    x = 1; //: T1 w4(x) =1
}

__attribute__((noinline)) static void outer(void) {
    inner();
    y = 1; //: T1 w4(y) =1
}

static void *run(void *unused) {
    (void)unused;
    outer();
    z = 1; //: T1 w4(z) =1
    return NULL;
}

int main(void) {
    pthread_t thread;
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    use(x);                                               //: T0 r4(x) =1
    use(y);                                               //: T0 r4(y) =1
    use(z);                                               //: T0 r4(z) =1
    return 0;
}
