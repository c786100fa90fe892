#include "program.h"

#include <semaphore.h>
#include <threads.h>

int x;
sem_t done;
once_flag o = ONCE_FLAG_INIT;

static void initialise(void) {
    x = 1; //: T1/1 w4(x) =1
}

static int run(void *unused) {
    (void)unused;
    call_once(&o, initialise); //: T1 once_begin(o); T1/2 once_end(o)
    sem_post(&done);           //: T1/2 sem_post(done)
    return 0;
}

int main(void) {
    thrd_t thread;
    sem_init(&done, 0, 0);                                  //: T0 sem_init(done) =0
    check(thrd_create(&thread, run, NULL) == thrd_success); //: T0 fork(T1)
    check(thrd_detach(thread) == thrd_success);
    sem_wait(&done);           //: T0 sem_wait(done)
    call_once(&o, initialise); //: T0 once_seen(o)
    use(x);                    //: T0 r4(x) =1
    return 0;
}
