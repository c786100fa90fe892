/* A handler runs between two steps of its thread; its accesses are the thread's. */
#include "program.h"

#include <signal.h>

int x, y;

static void handler(int number) {
    (void)number;
    x = 1; //: T1/1 w4(x) =1
}

static void *run(void *unused) {
    (void)unused;
    y = 1; //: T1 w4(y) =1
    raise(SIGUSR1);
    y = 2; //: T1/2 w4(y) =2
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct sigaction action = {.sa_handler = handler};
    check(sigaction(SIGUSR1, &action, NULL) == 0);
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    use(x);                                               //: T0 r4(x) =1
    use(y);                                               //: T0 r4(y) =2
    return 0;
}
