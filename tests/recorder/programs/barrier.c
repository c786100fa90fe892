#include "program.h"

int x;
pthread_barrier_t b;

static void *run(void *unused) {
    (void)unused;
    x = 1;                    //: T1 w4(x) =1
    pthread_barrier_wait(&b); //: T1 barrier_enter(b) =0; T1 barrier_leave(b) =0
    pthread_barrier_wait(&b); //: T1 barrier_enter(b) =1; T1 barrier_leave(b) =1
    use(x);                   //: T1 r4(x) =2
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&b, NULL, 2);
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    pthread_barrier_wait(&b);                             //: T0 barrier_enter(b) =0; T0 barrier_leave(b) =0
    x = 2;                                                //: T0 w4(x) =2
    pthread_barrier_wait(&b);                             //: T0 barrier_enter(b) =1; T0 barrier_leave(b) =1
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    pthread_barrier_destroy(&b);
    return 0;
}
