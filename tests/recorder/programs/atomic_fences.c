#include "program.h"

#include <stdatomic.h>

int x;

static void *run(void *unused) {
    (void)unused;
    x = 1;                                     //: T1 w4(x) =1
    atomic_thread_fence(memory_order_release); //: T1 fence release
    x = 2;                                     //: T1 w4(x) =2
    atomic_thread_fence(memory_order_acquire); //: T1 fence acquire
    x = 3;                                     //: T1 w4(x) =3
    atomic_thread_fence(memory_order_seq_cst); //: T1 fence seq_cst
    x = 4;                                     //: T1 w4(x) =4
    atomic_signal_fence(memory_order_seq_cst); // orders nothing between threads
    return NULL;
}

int main(void) {
    pthread_t thread;
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    use(x);                                               //: T0 r4(x) =4
    return 0;
}
