/* Every function that allocates: the block is used by two threads, and freed. */
#include "program.h"

#include <malloc.h>

static void *run(void *given) {
    *(long *)given = 1; //: T1 w8(heap1) =1; T2 w8(heap2) =1; T3 w8(heap3) =1; T4 w8(heap4) =1; T5 w8(heap5) =1
    return NULL;
}

int main(void) {
    pthread_t thread;
    long *block = calloc(4, 8);
    check(pthread_create(&thread, NULL, run, block) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);                //: T0 join(T1)
    use(*block);                                           //: T0 r8(heap1) =1
    block = realloc(block, 100000);                        // moves it: a new variable
    check(pthread_create(&thread, NULL, run, block) == 0); //: T0 fork(T2)
    check(pthread_join(thread, NULL) == 0);                //: T0 join(T2)
    use(*block);                                           //: T0 r8(heap2) =1
    free(block);
    block = aligned_alloc(64, 64);
    check(pthread_create(&thread, NULL, run, block) == 0); //: T0 fork(T3)
    check(pthread_join(thread, NULL) == 0);                //: T0 join(T3)
    use(*block);                                           //: T0 r8(heap3) =1
    free(block);
    check(posix_memalign((void **)&block, 64, 64) == 0);
    check(pthread_create(&thread, NULL, run, block) == 0); //: T0 fork(T4)
    check(pthread_join(thread, NULL) == 0);                //: T0 join(T4)
    use(*block);                                           //: T0 r8(heap4) =1
    free(block);
    block = memalign(64, 64);
    check(pthread_create(&thread, NULL, run, block) == 0); //: T0 fork(T5)
    check(pthread_join(thread, NULL) == 0);                //: T0 join(T5)
    use(*block);                                           //: T0 r8(heap5) =1
    free(block);
    return 0;
}
