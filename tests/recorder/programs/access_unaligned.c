/* Within an aligned word an unaligned access is one event; across two words it is two. */
#include "program.h"

struct __attribute__((packed)) packed {
    uint8_t first;
    uint16_t two;   /* bytes 1, 2 */
    uint32_t four;  /* bytes 3 to 6 */
    uint64_t eight; /* bytes 7 to 14 */
};
struct packed p __attribute__((aligned(16)));

static void *run(void *unused) {
    (void)unused;
    p.two = 0x0201;               //: T1 w2(p+1) =0x0201
    p.four = 0x06050403;          //: T1 w4(p+3) =0x06050403
    p.eight = 0x0e0d0c0b0a090807; //: T1 w1(p+7) =0x07; T1 w7(p+8) =0x0e0d0c0b0a0908
    return NULL;
}

int main(void) {
    pthread_t thread;
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    use(p.two);                                           //: T0 r2(p+1) =0x0201
    use(p.four);                                          //: T0 r4(p+3) =0x06050403
    use(p.eight);                                         //: T0 r1(p+7) =0x07; T0 r7(p+8) =0x0e0d0c0b0a0908
    return 0;
}
