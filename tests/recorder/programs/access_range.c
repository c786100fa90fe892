/* Structures that are copied whole are ranges: GCC calls the runtime for the range, Clang calls memcpy. */
#include "program.h"

struct three {
    uint64_t a, b, c;
};
struct three from, to;

static void *run(void *unused) {
    (void)unused;
    from.b = 5; //: T1 w8(from+8) =5
    return NULL;
}

int main(void) {
    pthread_t thread;
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    to = from;                                            //: T0 r8(from+8) =5
    check(to.b == 5);
    return 0;
}
