/* The last thing that a call does is to write memory of its own. By the thread's next callback, code that is not
 * instrumented has used the stack for something else. */
// block: heap1 = frame of lend < main
#include "program.h"

int x;

static void *fill(void *given) {
    *(volatile long *)given = 1; //: T1 w8(heap1) =1
    return NULL;
}

static __attribute__((noinline)) void lend(void) {
    pthread_t thread;
    volatile long room;
    check(pthread_create(&thread, NULL, fill, (void *)&room) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);                         //: T0 join(T1)
    room = 2;                                                       //: T0 w8(heap1) =2
}

static __attribute__((noinline, no_sanitize("thread"))) void use_stack(void) {
    volatile long other[64];
    for (int i = 0; i < 64; ++i) other[i] = 99;
    use(other[17]);
}

int main(void) {
    lend();
    use_stack();
    x = 1; /* the next callback */
    return 0;
}
