/* As history_order.c, but the flag is shared while the writer's buffer has both: the flag is recorded when
 * the buffer is written, the data becomes history then, and is shared later. */
// reduced
#include "program.h"

#include <sched.h>
#include <semaphore.h>

long data, flag, more_data;
sem_t written;

/* Unseen by the recorder, so that the writer's stamp stays as it is. */
static volatile int step;
static __attribute__((noinline, no_sanitize("thread"))) void reach(int next) {
    step = next;
}
static __attribute__((noinline, no_sanitize("thread"))) void await(int wanted) {
    while (step != wanted) sched_yield();
}

static void* write_all(void* unused) {
    (void)unused;
    data = 1; //: T1 w8(data)
    use(0);
    flag = 1; //: T1 w8(flag)
    use(0);
    more_data = 1; //: T1 w8(more_data)
    reach(1);
    await(2);
    return NULL;
}

static void* read_all(void* unused) {
    (void)unused;
    await(1);
    use(flag); //: T2 r8(flag) =1
    reach(2);
    check(sem_wait(&written) == 0); //: T2 sem_wait(written)
    use(more_data);                 //: T2 r8(more_data) =1
    use(data);                      //: T2 r8(data) =1
    return NULL;
}

int main(void) {
    pthread_t writer, reader;
    check(sem_init(&written, 0, 0) == 0);                       //: T0 sem_init(written) =0
    check(pthread_create(&writer, NULL, write_all, NULL) == 0); //: T0 fork(T1)
    check(pthread_create(&reader, NULL, read_all, NULL) == 0);  //: T0 fork(T2)
    check(pthread_join(writer, NULL) == 0);                     //: T0 join(T1)
    check(sem_post(&written) == 0);                             //: T0 sem_post(written)
    check(pthread_join(reader, NULL) == 0);                     //: T0 join(T2)
    return 0;
}
