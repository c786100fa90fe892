/* The seldom used functions that allocate. */
#include "program.h"

#include <malloc.h>

static void *run(void *given) {
    *(long *)given = 1; //: T1 w8(heap1) =1; T2 w8(heap2) =1; T3 w8(heap3) =1
    return NULL;
}

int main(void) {
    pthread_t thread;
    long *block = reallocarray(NULL, 4, 8);
    check(malloc_usable_size(block) >= 32);
    check(pthread_create(&thread, NULL, run, block) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);                //: T0 join(T1)
    use(*block);                                           //: T0 r8(heap1) =1
    free(block);
    block = valloc(64);
    check(pthread_create(&thread, NULL, run, block) == 0); //: T0 fork(T2)
    check(pthread_join(thread, NULL) == 0);                //: T0 join(T2)
    use(*block);                                           //: T0 r8(heap2) =1
    free(block);
    block = pvalloc(64);
    check(pthread_create(&thread, NULL, run, block) == 0); //: T0 fork(T3)
    check(pthread_join(thread, NULL) == 0);                //: T0 join(T3)
    use(*block);                                           //: T0 r8(heap3) =1
    free(block);
    return 0;
}
