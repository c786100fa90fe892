/* What is written late keeps its place in the program: among itself, and among what is recorded at once. The
 * second thread meets each pair the other way round. */
// reduced
#include "program.h"

#include <semaphore.h>

/* Nobody has touched them but the writer. */
long owned_data, owned_flag, late_flag, late_data;
/* The reader has touched the flags before: writes to them are recorded at once. */
long data, flag, early_flag, early_data;
sem_t touched, written;

/* The compiler keeps the order as well. */
#define store(variable, value)                                                                               \
    do {                                                                                                     \
        (variable) = (value);                                                                                \
        use(0);                                                                                              \
    } while (0)

static void* write_all(void* unused) {
    (void)unused;
    check(sem_wait(&touched) == 0); //: T1 sem_wait(touched)
    use(flag);                      //: T1 r8(flag)
    use(early_flag);                //: T1 r8(early_flag)
    store(owned_data, 1);           //: T1 w8(owned_data)
    store(owned_flag, 1);           //: T1 w8(owned_flag)
    store(data, 1);                 //: T1 w8(data)
    store(flag, 1);                 //: T1 w8(flag) =1
    store(late_flag, 1);            //: T1 w8(late_flag)
    store(early_flag, 1);           //: T1 w8(early_flag) =1
    store(early_data, 1);           //: T1 w8(early_data)
    store(late_data, 1);            //: T1 w8(late_data)
    return NULL;
}

static void* read_all(void* unused) {
    (void)unused;
    store(flag, 0);                 //: T2 w8(flag)
    store(early_flag, 0);           //: T2 w8(early_flag)
    check(sem_post(&touched) == 0); //: T2 sem_post(touched)
    check(sem_wait(&written) == 0); //: T2 sem_wait(written)
    use(owned_flag);                //: T2 r8(owned_flag) =1
    use(owned_data);                //: T2 r8(owned_data) =1
    use(late_data);                 //: T2 r8(late_data) =1
    use(late_flag);                 //: T2 r8(late_flag) =1
    use(flag);                      //: T2 r8(flag) =1
    use(data);                      //: T2 r8(data) =1
    use(early_data);                //: T2 r8(early_data) =1
    use(early_flag);                //: T2 r8(early_flag) =1
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
