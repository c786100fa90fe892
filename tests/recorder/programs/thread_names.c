// threads: T0=main T1=worker T2=named T3=by-prctl
#include "program.h"

#include <semaphore.h>
#include <sys/prctl.h>

int x;
sem_t go;

static void *name_itself(void *unused) {
    (void)unused;
    pthread_setname_np(pthread_self(), "worker");
    x = 1; //: T1 w4(x) =1
    return NULL;
}
static void *wait_for_name(void *unused) {
    (void)unused;
    sem_wait(&go); //: T2 sem_wait(go)
    return NULL;
}
static void *ask_system(void *unused) {
    (void)unused;
    prctl(PR_SET_NAME, "by-prctl", 0, 0, 0);
    x = 3; //: T3 w4(x) =3
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_init(&go, 0, 0);                                            //: T0 sem_init(go) =0
    check(pthread_create(&thread, NULL, name_itself, NULL) == 0);   //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);                         //: T0 join(T1)
    use(x);                                                         //: T0 r4(x) =1
    check(pthread_create(&thread, NULL, wait_for_name, NULL) == 0); //: T0 fork(T2)
    check(pthread_setname_np(thread, "named") == 0);
    sem_post(&go);                                               //: T0 sem_post(go)
    check(pthread_join(thread, NULL) == 0);                      //: T0 join(T2)
    check(pthread_create(&thread, NULL, ask_system, NULL) == 0); //: T0 fork(T3)
    check(pthread_join(thread, NULL) == 0);                      //: T0 join(T3)
    use(x);                                                      //: T0 r4(x) =3
    return 0;
}
