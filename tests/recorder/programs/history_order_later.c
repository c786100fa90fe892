/* As history_order.c, but the writer's buffer was written before: some of its memory has a history already
 * and goes on with it, some is new and waits in the buffer, and the flag is recorded at once. */
// reduced
#include "program.h"

#include <semaphore.h>

long old_data, old_flag, new_data, new_flag, flag;
sem_t touched, written;

/* The compiler keeps the order as well. */
#define store(variable, value)                                                                               \
    do {                                                                                                     \
        (variable) = (value);                                                                                \
        use(0);                                                                                              \
    } while (0)

static void fill_buffer(void) {
    for (int i = 0; i < 100000; ++i) {
        void* other = malloc(8);
        use(other);
        free(other);
    }
}

static void* write_all(void* unused) {
    (void)unused;
    store(old_flag, 1); //: T1 w8(old_flag)
    store(old_data, 1); //: T1 w8(old_data)
    fill_buffer();
    check(sem_wait(&touched) == 0); //: T1 sem_wait(touched)
    use(flag);                      //: T1 r8(flag)
    store(new_data, 2);             //: T1 w8(new_data)
    store(old_data, 2);             //: T1 w8(old_data)
    store(flag, 2);                 //: T1 w8(flag) =2
    store(old_flag, 2);             //: T1 w8(old_flag)
    store(new_flag, 2);             //: T1 w8(new_flag)
    store(flag, 3);                 //: T1 w8(flag) =3
    return NULL;
}

static void* read_all(void* unused) {
    (void)unused;
    store(flag, 0);                 //: T2 w8(flag)
    check(sem_post(&touched) == 0); //: T2 sem_post(touched)
    check(sem_wait(&written) == 0); //: T2 sem_wait(written)
    use(flag);                      //: T2 r8(flag) =3
    use(new_flag);                  //: T2 r8(new_flag) =2
    use(old_flag);                  //: T2 r8(old_flag) =2
    use(old_data);                  //: T2 r8(old_data) =2
    use(new_data);                  //: T2 r8(new_data) =2
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
