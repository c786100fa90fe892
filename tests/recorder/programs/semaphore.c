#include "program.h"

#include <errno.h>
#include <semaphore.h>

int x;
sem_t s;
sem_t empty;

static void *run(void *unused) {
    const struct timespec past = PAST_DEADLINE, far = FAR_DEADLINE;
    (void)unused;
    check(sem_trywait(&empty) == -1 && errno == EAGAIN);
    check(sem_timedwait(&empty, &past) == -1 && errno == ETIMEDOUT);
    check(sem_clockwait(&empty, CLOCK_MONOTONIC, &past) == -1 && errno == ETIMEDOUT);
    check(sem_wait(&s) == 0);                              //: T1 sem_wait(s)
    check(sem_trywait(&s) == 0);                           //: T1 sem_wait(s)
    check(sem_post(&s) == 0);                              //: T1 sem_post(s)
    check(sem_timedwait(&s, &far) == 0);                   //: T1 sem_wait(s)
    check(sem_post(&s) == 0);                              //: T1 sem_post(s)
    check(sem_clockwait(&s, CLOCK_MONOTONIC, &far) == 0);  //: T1 sem_wait(s)
    x = 1;                                                 //: T1 w4(x) =1
    check(sem_post(&s) == 0);                              //: T1 sem_post(s)
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_init(&s, 0, 2);                                   //: T0 sem_init(s) =2
    sem_init(&empty, 0, 0);                               //: T0 sem_init(empty) =0
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    check(sem_wait(&s) == 0);                             //: T0 sem_wait(s)
    use(x);                                               //: T0 r4(x) =1
    sem_destroy(&s);
    sem_destroy(&empty);
    return 0;
}
