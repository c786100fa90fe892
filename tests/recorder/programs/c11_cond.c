#include "program.h"

#include <threads.h>

int ready;
mtx_t m;
cnd_t c;

static int run(void *unused) {
    (void)unused;
    mtx_lock(&m);      //: T1,T2 acq(m)
    ready = 1;         //: T1,T2 w4(ready) =1
    cnd_broadcast(&c); //: T1,T2 notify_all(c)
    mtx_unlock(&m);    //: T1,T2 rel(m)
    return 0;
}

int main(void) {
    thrd_t first, second;
    const struct timespec past = PAST_DEADLINE, far = FAR_DEADLINE;
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    mtx_lock(&m);                                           //: T0 acq(m)
    check(cnd_timedwait(&c, &m, &past) == thrd_timedout);   //: T0 wait_pre(c); T0 rel(m); T0 acq(m); T0 wait_post(c) spurious
    check(thrd_create(&first, run, NULL) == thrd_success);  //: T0 fork(T1)
    check(cnd_wait(&c, &m) == thrd_success);                //: T0 wait_pre(c); T0 rel(m); T0 acq(m); T0 wait_post(c) matched
    check(thrd_create(&second, run, NULL) == thrd_success); //: T0 fork(T2)
    check(cnd_timedwait(&c, &m, &far) == thrd_success);     //: T0 wait_pre(c); T0 rel(m); T0 acq(m); T0 wait_post(c) matched
    use(ready);                                             //: T0 r4(ready) =1
    cnd_signal(&c);                                         //: T0 notify(c)
    mtx_unlock(&m);                                         //: T0 rel(m)
    check(thrd_join(first, NULL) == thrd_success);          //: T0 join(T1)
    check(thrd_join(second, NULL) == thrd_success);         //: T0 join(T2)
    cnd_destroy(&c);
    mtx_destroy(&m);
    return 0;
}
