/* Both threads post `waiting` with m held, so main's lock comes only once both wait. */
#include "program.h"

#include <semaphore.h>

int ready;
sem_t waiting;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *run(void *unused) {
    (void)unused;
    pthread_mutex_lock(&m);    //: T1,T2 acq(m)
    sem_post(&waiting);        //: T1,T2 sem_post(waiting)
    pthread_cond_wait(&c, &m); //: T1,T2 wait_pre(c); T1,T2 rel(m); T1,T2 acq(m); T1,T2 wait_post(c) matched
    use(ready);                //: T1,T2 r4(ready) =1
    pthread_mutex_unlock(&m);  //: T1,T2 rel(m)
    return NULL;
}

int main(void) {
    pthread_t first, second;
    sem_init(&waiting, 0, 0);                             //: T0 sem_init(waiting) =0
    check(pthread_create(&first, NULL, run, NULL) == 0);  //: T0 fork(T1)
    check(pthread_create(&second, NULL, run, NULL) == 0); //: T0 fork(T2)
    sem_wait(&waiting);                                   //: T0 sem_wait(waiting)
    sem_wait(&waiting);                                   //: T0 sem_wait(waiting)
    pthread_mutex_lock(&m);                               //: T0 acq(m)
    ready = 1;                                            //: T0 w4(ready) =1
    pthread_cond_broadcast(&c);                           //: T0 notify_all(c)
    pthread_mutex_unlock(&m);                             //: T0 rel(m)
    check(pthread_join(first, NULL) == 0);                //: T0 join(T1)
    check(pthread_join(second, NULL) == 0);               //: T0 join(T2)
    return 0;
}
