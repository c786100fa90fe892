/* When a second thread arrives, what the first one did before is told: main's write is where 7 comes from. */
#include "program.h"

int x;
int mine;

static void *run(void *unused) {
    (void)unused;
    use(x); //: T1 r4(x) =7
    return NULL;
}

int main(void) {
    pthread_t thread;
    x = 7;                                                //: T0 w4(x) =7
    mine = 8;                                             // one thread's alone: not written
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    use(mine);
    return 0;
}
