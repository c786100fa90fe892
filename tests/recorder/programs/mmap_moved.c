/* Pages that are moved hold new variables; those that only lose a right do not. */
#include "program.h"

#include <sys/mman.h>

static void *run(void *given) {
    *(long *)given = 1; //: T1 w8(heap1) =1; T2 w8(heap2) =1
    return NULL;
}

int main(void) {
    pthread_t thread;
    const int protection = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS;
    long *pages = mmap64(NULL, 4096, protection, flags, -1, 0);
    long *elsewhere = mmap(NULL, 4096, protection, flags, -1, 0);
    check(pages != MAP_FAILED && elsewhere != MAP_FAILED);
    check(pthread_create(&thread, NULL, run, pages) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);                //: T0 join(T1)
    use(*pages);                                           //: T0 r8(heap1) =1
    *pages = 2;                                            //: T0 w8(heap1) =2
    check(mprotect(pages, 4096, PROT_READ) == 0);
    use(*pages);                                           //: T0 r8(heap1) =2
    check(mprotect(pages, 4096, protection) == 0);
    check(mremap(pages, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, elsewhere) == elsewhere);
    check(pthread_create(&thread, NULL, run, elsewhere) == 0); //: T0 fork(T2)
    check(pthread_join(thread, NULL) == 0);                    //: T0 join(T2)
    use(*elsewhere);                                           //: T0 r8(heap2) =1
    return 0;
}
