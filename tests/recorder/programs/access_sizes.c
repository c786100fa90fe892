#include "program.h"

uint8_t one;
uint16_t two;
uint32_t four;
uint64_t eight;

static void *run(void *unused) {
    (void)unused;
    one = 0x11;                   //: T1 w1(one) =0x11
    two = 0x2222;                 //: T1 w2(two) =0x2222
    four = 0x44444444;            //: T1 w4(four) =0x44444444
    eight = 0x8888888888888888;   //: T1 w8(eight) =0x8888888888888888
    return NULL;
}

int main(void) {
    pthread_t thread;
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    use(one);                                             //: T0 r1(one) =0x11
    use(two);                                             //: T0 r2(two) =0x2222
    use(four);                                            //: T0 r4(four) =0x44444444
    use(eight);                                           //: T0 r8(eight) =0x8888888888888888
    return 0;
}
