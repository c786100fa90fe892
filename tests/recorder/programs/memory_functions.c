/* The library's memory functions access ranges; only what another thread uses too is told. */
#include "program.h"

#include <string.h>

uint64_t from[4] = {1, 2, 3, 4};
uint64_t to[4];

static void *run(void *unused) {
    size_t n = sizeof from;
    (void)unused;
    __asm__ volatile("" : "+r"(n)); /* unknown, or the compiler would expand the calls */
    memset(to, 0, n);                    //: T1 w8(to+8) =0
    use(to);                             // or memset would be removed
    memcpy(to, from, n);                 //: T1 r8(from+8) =2; T1 w8(to+8) =2
    memmove(to, to + 1, n - 8);          //: T1 r8(to+8) =2; T1 w8(to+8) =3
    check(memcmp(to, from, n) != 0);     //: T1 r8(to+8) =3; T1 r8(from+8) =2
    check(memchr(from, 9, n) == NULL);   //: T1 r8(from+8) =2
    return NULL;
}

int main(void) {
    pthread_t thread;
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    use(from[1]);                                         //: T0 r8(from+8) =2
    use(to[1]);                                           //: T0 r8(to+8) =3
    return 0;
}
