/* Pages that are unmapped and mapped again at the same address hold new variables. */
#include "program.h"

#include <sys/mman.h>

static void *run(void *given) {
    *(long *)given = 1; //: T1 w8(heap1) =1; T2 w8(heap2) =1
    return NULL;
}

int main(void) {
    pthread_t thread;
    const int protection = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS;
    long *pages = mmap(NULL, 4096, protection, flags, -1, 0);
    check(pages != MAP_FAILED);
    check(pthread_create(&thread, NULL, run, pages) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);                //: T0 join(T1)
    use(*pages);                                           //: T0 r8(heap1) =1
    check(munmap(pages, 4096) == 0);
    check(mmap(pages, 4096, protection, flags | MAP_FIXED, -1, 0) == pages);
    check(pthread_create(&thread, NULL, run, pages) == 0); //: T0 fork(T2)
    check(pthread_join(thread, NULL) == 0);                //: T0 join(T2)
    use(*pages);                                           //: T0 r8(heap2) =1
    return 0;
}
