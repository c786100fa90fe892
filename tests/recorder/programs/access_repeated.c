/* The same access again, with nothing in between, says nothing new; after an acquisition it does. */
// reduced
#include "program.h"

#include <sched.h>

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void look(void) {
    use(x); //: T1/1 r4(x) =0; T1/3 r4(x) =0
}

/* Unseen by the recorder: main has looked, so that x is shared before T1 looks for the first time. */
static volatile int main_has_looked;
__attribute__((noinline, no_sanitize("thread"))) static void tell(void) {
    main_has_looked = 1;
}
__attribute__((noinline, no_sanitize("thread"))) static void await_main(void) {
    while (!main_has_looked) sched_yield();
}

static void *run(void *unused) {
    (void)unused;
    await_main();
    for (int i = 0; i < 100; ++i) look();
    pthread_mutex_lock(&m); //: T1/2 acq(m)
    for (int i = 0; i < 100; ++i) look();
    pthread_mutex_unlock(&m); //: T1/4 rel(m)
    return NULL;
}

int main(void) {
    pthread_t thread;
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    use(x);                                               //: T0 r4(x)
    tell();
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    return 0;
}
