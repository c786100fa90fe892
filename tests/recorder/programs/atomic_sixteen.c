/* 16 bytes are two variables of 8. */
// flags: -mcx16
#include "program.h"

__int128 a __attribute__((aligned(16)));

static void *run(void *unused) {
    const __int128 two = ((__int128)2 << 64) + 1;
    __int128 expected = 0;
    (void)unused;
    __atomic_store_n(&a, two, __ATOMIC_SEQ_CST);                    //: T1 atomic_store8(a) =1 seq_cst; T1 atomic_store8(a+8) =2 seq_cst
    check(__atomic_fetch_add(&a, two, __ATOMIC_SEQ_CST) == two);    //: T1 atomic_rmw8(a) =1->2 seq_cst; T1 atomic_rmw8(a+8) =2->4 seq_cst
    check(!__atomic_compare_exchange_n(&a, &expected, two, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)); //: T1 atomic_load8(a) =2 relaxed; T1 atomic_load8(a+8) =4 relaxed
    return NULL;
}

int main(void) {
    pthread_t thread;
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    use((uint64_t)__atomic_load_n(&a, __ATOMIC_SEQ_CST)); //: T0 atomic_load8(a) =2 seq_cst; T0 atomic_load8(a+8) =4 seq_cst
    return 0;
}
