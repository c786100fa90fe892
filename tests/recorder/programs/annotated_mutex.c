/* A lock of the program's own making, told with __tsan_mutex_*; what happens inside the calls is not told. */
#include "program.h"

void __tsan_mutex_create(void *address, unsigned flags);
void __tsan_mutex_destroy(void *address, unsigned flags);
void __tsan_mutex_pre_lock(void *address, unsigned flags);
void __tsan_mutex_post_lock(void *address, unsigned flags, int recursion);
int __tsan_mutex_pre_unlock(void *address, unsigned flags);
void __tsan_mutex_post_unlock(void *address, unsigned flags);

enum { READ_LOCK = 1 << 3, TRY_LOCK = 1 << 4, TRY_LOCK_FAILED = 1 << 5 };

int x;
int lock;

static void *run(void *unused) {
    (void)unused;
    __tsan_mutex_pre_lock(&lock, 0);
    lock = 1;
    __tsan_mutex_post_lock(&lock, 0, 1); //: T1 acq(lock)
    x = 1;                               //: T1 w4(x) =1
    __tsan_mutex_pre_unlock(&lock, 0);   //: T1 rel(lock)
    lock = 0;
    __tsan_mutex_post_unlock(&lock, 0);
    __tsan_mutex_pre_lock(&lock, READ_LOCK);
    __tsan_mutex_post_lock(&lock, READ_LOCK, 1); //: T1 acq_shared(lock)
    use(x);                                      //: T1 r4(x) =1
    __tsan_mutex_pre_unlock(&lock, READ_LOCK);   //: T1 rel_shared(lock)
    __tsan_mutex_post_unlock(&lock, READ_LOCK);
    __tsan_mutex_pre_lock(&lock, TRY_LOCK);
    __tsan_mutex_post_lock(&lock, TRY_LOCK | TRY_LOCK_FAILED, 0);
    return NULL;
}

int main(void) {
    pthread_t thread;
    __tsan_mutex_create(&lock, 0);
    check(pthread_create(&thread, NULL, run, NULL) == 0); //: T0 fork(T1)
    check(pthread_join(thread, NULL) == 0);               //: T0 join(T1)
    use(x);                                               //: T0 r4(x) =1
    __tsan_mutex_destroy(&lock, 0);
    return 0;
}
