/* The allocator hands out the same memory twice; each time it is a new variable, and nothing of the first is left. */
#include "program.h"

static void *run(void *given) {
    *(long *)given = 1; //: T1 w8(heap1) =1; T2 w8(heap2) =1
    return NULL;
}

int main(void) {
    pthread_t thread;
    long *first = malloc(64);
    const volatile uintptr_t address = (uintptr_t)first;
    check(pthread_create(&thread, NULL, run, first) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);                //: T0 join(T1)
    use(*first);                                           //: T0 r8(heap1) =1
    free(first);
    long *second = malloc(64);
    check((uintptr_t)second == address);
    check(pthread_create(&thread, NULL, run, second) == 0); //: T0 fork(T2)
    check(pthread_join(thread, NULL) == 0);                 //: T0 join(T2)
    use(*second);                                           //: T0 r8(heap2) =1
    free(second);
    return 0;
}
