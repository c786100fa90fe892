/* A thread writes what lies on main's stack before main touches it there; an earlier call of main's has used the
 * same memory for something else. */
// block: heap1 = frame of ask < main
// block: heap2 = frame of ask < main
#include "program.h"

static void *answer(void *given) {
    *(volatile long *)given = 1; //: T1 w8(heap1) =1; T2 w8(heap2) =1
    return NULL;
}

static __attribute__((noinline)) long scratch(void) {
    volatile long room[64];
    for (int i = 0; i < 64; ++i) room[i] = i;
    return room[17];
}

static __attribute__((noinline)) void ask(void) {
    pthread_t thread;
    volatile long result;
    check(pthread_create(&thread, NULL, answer, (void *)&result) == 0); //: T0 fork(T1); T0/1 fork(T2)
    check(pthread_join(thread, NULL) == 0);                             //: T0 join(T1); T0/1 join(T2)
    use(result);                                                        //: T0 r8(heap1) =1; T0/1 r8(heap2) =1
}

int main(void) {
    use(scratch());
    ask();
    use(scratch());
    ask();
    return 0;
}
