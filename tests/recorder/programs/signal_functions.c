/* signal() and handlers with siginfo. */
#include "program.h"

#include <signal.h>

int x, y;

static void plain(int number) {
    (void)number;
    x = 1; //: T1 w4(x) =1
}

static void detailed(int number, siginfo_t *info, void *context) {
    (void)context;
    check(info->si_signo == number);
    y = 1; //: T1 w4(y) =1
}

static void *run(void *unused) {
    (void)unused;
    raise(SIGUSR1);
    raise(SIGUSR2);
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct sigaction action = {.sa_sigaction = detailed, .sa_flags = SA_SIGINFO}, before;
    check(signal(SIGUSR1, plain) == SIG_DFL);
    check(sigaction(SIGUSR2, &action, NULL) == 0);
    check(sigaction(SIGUSR2, NULL, &before) == 0 && before.sa_sigaction == detailed);
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    check(signal(SIGUSR1, SIG_DFL) == plain);
    use(x); //: T0 r4(x) =1
    use(y); //: T0 r4(y) =1
    return 0;
}
