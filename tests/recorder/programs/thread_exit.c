// ignores: libraries
#include "program.h"

int x;

__attribute__((noinline)) static void leave(void) {
    x = 1; //: T1 w4(x) =1
    pthread_exit(&x);
}

static void *run(void *unused) {
    (void)unused;
    leave();
    return NULL;
}

int main(void) {
    pthread_t thread;
    void *result = NULL;
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, &result) == 0);            //: T0 join(T1)
    check(result == &x);
    use(x); //: T0 r4(x) =1
    return 0;
}
