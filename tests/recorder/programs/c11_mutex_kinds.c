#include "program.h"

#include <threads.h>

int x;
mtx_t recursive;
mtx_t timed;
mtx_t busy;

static int run(void *unused) {
    const struct timespec past = PAST_DEADLINE, far = FAR_DEADLINE;
    (void)unused;
    check(mtx_trylock(&busy) == thrd_busy);
    check(mtx_timedlock(&busy, &past) == thrd_timedout);
    mtx_lock(&recursive); //: T1 acq(recursive)
    check(mtx_trylock(&recursive) == thrd_success);
    mtx_unlock(&recursive);
    x = 1;                                              //: T1 w4(x) =1
    mtx_unlock(&recursive);                             //: T1 rel(recursive)
    check(mtx_timedlock(&timed, &far) == thrd_success); //: T1 acq(timed)
    x = 2;                                              //: T1 w4(x) =2
    mtx_unlock(&timed);                                 //: T1 rel(timed)
    check(mtx_trylock(&timed) == thrd_success);         //: T1 acq(timed)
    mtx_unlock(&timed);                                 //: T1 rel(timed)
    return 0;
}

int main(void) {
    thrd_t thread;
    mtx_init(&recursive, mtx_plain | mtx_recursive);
    mtx_init(&timed, mtx_timed);
    mtx_init(&busy, mtx_timed);
    mtx_lock(&busy);                                        //: T0 acq(busy)
    check(thrd_create(&thread, run, NULL) == thrd_success); //: T0 fork(T1)
    check(thrd_join(thread, NULL) == thrd_success);         //: T0 join(T1)
    mtx_unlock(&busy);                                      //: T0 rel(busy)
    use(x);                                                 //: T0 r4(x) =2
    return 0;
}
