/* 16 bytes are two variables of 8. */
#include "program.h"

typedef long long pair __attribute__((vector_size(16)));
pair wide;

static void *run(void *unused) {
    (void)unused;
    wide = (pair){1, 2}; //: T1 w8(wide) =1; T1 w8(wide+8) =2
    return NULL;
}

int main(void) {
    pthread_t thread;
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    const pair got = wide;                                //: T0 r8(wide) =1; T0 r8(wide+8) =2
    __asm__ volatile("" : : "x"(got));
    return 0;
}
