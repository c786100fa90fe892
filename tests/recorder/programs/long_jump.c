/* Out of nested calls and back, thrice; the call stack of what follows is right. */
// stack: T1 w4(y) = run
#include "program.h"

#include <setjmp.h>
#include <signal.h>

int x, y;

__attribute__((noinline)) static void deep(jmp_buf there, int left) {
    if (left == 0) longjmp(there, 1);
    if (left > 0) deep(there, left - 1);
    use(left);
}

__attribute__((noinline)) static void deep_masked(sigjmp_buf there) {
    siglongjmp(there, 1);
}

static void *run(void *unused) {
    jmp_buf there;
    sigjmp_buf masked;
    (void)unused;
    if (setjmp(there) == 0) deep(there, 20);
    x = 1; //: T1 w4(x) =1
    if (_setjmp(there) == 0) deep(there, 20);
    x = 2; //: T1 w4(x) =2
    if (sigsetjmp(masked, 1) == 0) deep_masked(masked);
    y = 1; //: T1 w4(y) =1
    return NULL;
}

int main(void) {
    pthread_t thread;
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    use(x);                                               //: T0 r4(x) =2
    use(y);                                               //: T0 r4(y) =1
    return 0;
}
