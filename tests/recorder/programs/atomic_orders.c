#include "program.h"

#include <stdatomic.h>

_Atomic int a;

static void *run(void *unused) {
    (void)unused;
    atomic_store_explicit(&a, 1, memory_order_relaxed);           //: T1 atomic_store4(a) =1 relaxed
    atomic_store_explicit(&a, 2, memory_order_release);           //: T1 atomic_store4(a) =2 release
    atomic_store_explicit(&a, 3, memory_order_seq_cst);           //: T1 atomic_store4(a) =3 seq_cst
    use(atomic_load_explicit(&a, memory_order_relaxed));          //: T1 atomic_load4(a) =3 relaxed
    use(atomic_load_explicit(&a, memory_order_acquire));          //: T1 atomic_load4(a) =3 acquire
    use(atomic_load_explicit(&a, memory_order_seq_cst));          //: T1 atomic_load4(a) =3 seq_cst
    use(atomic_fetch_add_explicit(&a, 1, memory_order_relaxed));  //: T1 atomic_rmw4(a) =3->4 relaxed
    use(atomic_fetch_add_explicit(&a, 1, memory_order_acquire));  //: T1 atomic_rmw4(a) =4->5 acquire
    use(atomic_fetch_add_explicit(&a, 1, memory_order_release));  //: T1 atomic_rmw4(a) =5->6 release
    use(atomic_fetch_add_explicit(&a, 1, memory_order_acq_rel));  //: T1 atomic_rmw4(a) =6->7 acq_rel
    use(atomic_fetch_add_explicit(&a, 1, memory_order_seq_cst));  //: T1 atomic_rmw4(a) =7->8 seq_cst
    return NULL;
}

int main(void) {
    pthread_t thread;
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    use(atomic_load(&a));                                 //: T0 atomic_load4(a) =8 seq_cst
    return 0;
}
