#include "program.h"

#include <stdatomic.h>

_Atomic unsigned a;

static void *run(void *unused) {
    unsigned expected = 0;
    (void)unused;
    use(atomic_exchange(&a, 6));                                       //: T1 atomic_rmw4(a) =0->6 seq_cst
    use(atomic_fetch_sub(&a, 1));                                      //: T1 atomic_rmw4(a) =6->5 seq_cst
    use(atomic_fetch_or(&a, 8));                                       //: T1 atomic_rmw4(a) =5->13 seq_cst
    use(atomic_fetch_and(&a, 9));                                      //: T1 atomic_rmw4(a) =13->9 seq_cst
    use(atomic_fetch_xor(&a, 1));                                      //: T1 atomic_rmw4(a) =9->8 seq_cst
    use(__atomic_fetch_nand((unsigned *)&a, 8, __ATOMIC_SEQ_CST));                 //: T1 atomic_rmw4(a) =8->0xfffffff7 seq_cst
    check(!atomic_compare_exchange_strong_explicit(&a, &expected, 1, memory_order_acq_rel, memory_order_acquire)); //: T1 atomic_load4(a) =0xfffffff7 acquire
    check(atomic_compare_exchange_strong_explicit(&a, &expected, 1, memory_order_acq_rel, memory_order_acquire)); //: T1 atomic_rmw4(a) =0xfffffff7->1 acq_rel
    expected = 1;
    check(atomic_compare_exchange_weak(&a, &expected, 2));             //: T1 atomic_rmw4(a) =1->2 seq_cst
    return NULL;
}

int main(void) {
    pthread_t thread;
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    use(atomic_load(&a));                                 //: T0 atomic_load4(a) =2 seq_cst
    return 0;
}
