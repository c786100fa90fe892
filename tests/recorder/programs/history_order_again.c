/* One place of the program touches memory before and after a flag is set. What is written late is told on the
 * right side of the flag, whether it had a history when it was touched or was still in the buffer. */
// reduced
#include "program.h"

#include <semaphore.h>

long old_before, old_after, new_before, new_after, flag;
sem_t touched, written;

/* The compiler keeps the order as well. */
#define store(variable, value)                                                                               \
    do {                                                                                                     \
        (variable) = (value);                                                                                \
        use(0);                                                                                              \
    } while (0)

__attribute__((noinline)) static void set(long* variable) {
    *variable = 2; //: T1/2 w8(old_before); T1/2 w8(new_before); T1/4 w8(old_after); T1/4 w8(new_after)
    use(0);
}

static void fill_buffer(void) {
    for (int i = 0; i < 100000; ++i) {
        void* other = malloc(8);
        use(other);
        free(other);
    }
}

static void* write_all(void* unused) {
    (void)unused;
    store(old_before, 1); //: T1 w8(old_before)
    store(old_after, 1);  //: T1 w8(old_after)
    fill_buffer();
    check(sem_wait(&touched) == 0); //: T1/1 sem_wait(touched)
    use(flag);                      //: T1/1 r8(flag)
    set(&old_before);
    set(&new_before);
    store(flag, 1); //: T1/3 w8(flag) =1
    set(&old_after);
    set(&new_after);
    store(flag, 2); //: T1/5 w8(flag) =2
    fill_buffer();
    return NULL;
}

static void* read_all(void* unused) {
    (void)unused;
    store(flag, 0);                 //: T2 w8(flag)
    check(sem_post(&touched) == 0); //: T2 sem_post(touched)
    check(sem_wait(&written) == 0); //: T2 sem_wait(written)
    use(flag);                      //: T2 r8(flag) =2
    use(new_after);                 //: T2 r8(new_after) =2
    use(old_after);                 //: T2 r8(old_after) =2
    use(new_before);                //: T2 r8(new_before) =2
    use(old_before);                //: T2 r8(old_before) =2
    return NULL;
}

int main(void) {
    pthread_t writer, reader;
    check(sem_init(&touched, 0, 0) == 0);                       //: T0 sem_init(touched) =0
    check(sem_init(&written, 0, 0) == 0);                       //: T0 sem_init(written) =0
    check(pthread_create(&writer, NULL, write_all, NULL) == 0); //: T0 fork(T1)
    check(pthread_create(&reader, NULL, read_all, NULL) == 0);  //: T0 fork(T2)
    check(pthread_join(writer, NULL) == 0);                     //: T0 join(T1)
    check(sem_post(&written) == 0);                             //: T0 sem_post(written)
    check(pthread_join(reader, NULL) == 0);                     //: T0 join(T2)
    return 0;
}
