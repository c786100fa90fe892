#include "program.h"

#include <semaphore.h>

int x;
sem_t done;

static void *run(void *unused) {
    (void)unused;
    x = 1;           //: T1 w4(x) =1
    sem_post(&done); //: T1 sem_post(done)
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_attr_t attributes;
    sem_init(&done, 0, 0); //: T0 sem_init(done) =0
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    check(pthread_create(&thread, &attributes, run, NULL) == 0); //: T0 fork(T1)
    sem_wait(&done);                                             //: T0 sem_wait(done)
    use(x);                                                      //: T0 r4(x) =1
    return 0;
}
