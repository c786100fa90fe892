#include "program.h"

#include <stdatomic.h>

_Atomic uint8_t one;
_Atomic uint16_t two;
_Atomic uint32_t four;
_Atomic uint64_t eight;

static void *run(void *unused) {
    uint8_t one_seen = 1;
    uint16_t two_seen = 1;
    uint64_t eight_seen = 1;
    (void)unused;
    atomic_store(&one, 1);                                                 //: T1 atomic_store1(one) =1 seq_cst
    use((unsigned)atomic_fetch_add(&one, 255));                            //: T1 atomic_rmw1(one) =1->0 seq_cst
    check(!atomic_compare_exchange_strong(&one, &one_seen, 9));            //: T1 atomic_load1(one) =0 seq_cst
    atomic_store(&two, 1);                                                 //: T1 atomic_store2(two) =1 seq_cst
    use((unsigned)atomic_fetch_add(&two, 2));                              //: T1 atomic_rmw2(two) =1->3 seq_cst
    check(!atomic_compare_exchange_strong(&two, &two_seen, 9));            //: T1 atomic_load2(two) =3 seq_cst
    atomic_store(&four, 1);                                                //: T1 atomic_store4(four) =1 seq_cst
    use(atomic_exchange(&four, 0xffffffff));                               //: T1 atomic_rmw4(four) =1->0xffffffff seq_cst
    atomic_store(&eight, 1);                                               //: T1 atomic_store8(eight) =1 seq_cst
    use(atomic_fetch_sub(&eight, 2));                                      //: T1 atomic_rmw8(eight) =1->0xffffffffffffffff seq_cst
    check(!atomic_compare_exchange_strong(&eight, &eight_seen, 9));        //: T1 atomic_load8(eight) =0xffffffffffffffff seq_cst
    return NULL;
}

int main(void) {
    pthread_t thread;
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    use((unsigned)atomic_load(&one));                     //: T0 atomic_load1(one) =0 seq_cst
    use((unsigned)atomic_load(&two));                     //: T0 atomic_load2(two) =3 seq_cst
    use(atomic_load(&four));                              //: T0 atomic_load4(four) =0xffffffff seq_cst
    use(atomic_load(&eight));                             //: T0 atomic_load8(eight) =0xffffffffffffffff seq_cst
    return 0;
}
