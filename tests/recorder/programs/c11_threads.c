// ignores: libraries
#include "program.h"

#include <threads.h>

int x;
mtx_t m;

static int run(void *unused) {
    (void)unused;
    mtx_lock(&m);   //: T1 acq(m)
    x = 1;          //: T1 w4(x) =1
    mtx_unlock(&m); //: T1 rel(m)
    thrd_exit(7);
}

int main(void) {
    thrd_t thread;
    int result = 0;
    check(mtx_init(&m, mtx_plain) == thrd_success);
    check(thrd_create(&thread, run, NULL) == thrd_success); //: T0 fork(T1)
    check(thrd_join(thread, &result) == thrd_success);      //: T0 join(T1)
    check(result == 7);
    use(x); //: T0 r4(x) =1
    mtx_destroy(&m);
    return 0;
}
